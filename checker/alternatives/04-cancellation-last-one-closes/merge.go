package cancellation

import (
	"context"
	"iter"
	"sync/atomic"
)

// OrDone yields the values of in until in is closed or ctx is done.
func OrDone[T any](ctx context.Context, in <-chan T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			select {
			case <-ctx.Done():
				return
			default:
			}
			var v T
			var ok bool
			select {
			case <-ctx.Done():
				return
			case v, ok = <-in:
			}
			if ctx.Err() != nil { // a value of the very moment is dropped
				return
			}
			if !ok || !yield(v) {
				return
			}
		}
	}
}

// Merge carries the values of all inputs on one channel.
func Merge[T any](ctx context.Context, inputs ...<-chan T) <-chan T {
	out := make(chan T)
	var left atomic.Int64
	left.Store(int64(len(inputs)) + 1)
	done := func() {
		if left.Add(-1) == 0 {
			close(out)
		}
	}
	for _, in := range inputs {
		go func() {
			defer done()
			for {
				select {
				case <-ctx.Done():
					return
				case v, ok := <-in:
					if !ok {
						return
					}
					select {
					case out <- v:
					case <-ctx.Done():
						return
					}
				}
			}
		}()
	}
	done()
	return out
}
