package cancellation

import (
	"context"
	"iter"
	"sync"
)

// OrDone yields the values of in until in is closed or ctx is done.
func OrDone[T any](ctx context.Context, in <-chan T) iter.Seq[T] {
	next := func() (v T, ok bool) {
		if ctx.Err() != nil {
			return v, false
		}
		select {
		case <-ctx.Done():
			return v, false
		case v, ok = <-in:
			return v, ok
		}
	}
	return func(yield func(T) bool) {
		for v, ok := next(); ok && yield(v); v, ok = next() {
		}
	}
}

// Merge carries the values of all inputs on one channel. A reader of an input takes the next
// value when the one before it has gone out.
func Merge[T any](ctx context.Context, inputs ...<-chan T) <-chan T {
	type item struct {
		v   T
		ack chan struct{}
	}
	out := make(chan T)
	items := make(chan item)
	var wg sync.WaitGroup
	for _, in := range inputs {
		wg.Go(func() {
			ack := make(chan struct{})
			for v := range OrDone(ctx, in) {
				items <- item{v, ack} // received in any case: items is closed when all of these have ended
				select {
				case <-ack:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	go func() {
		wg.Wait()
		close(items)
	}()
	go func() {
		defer close(out)
		for it := range items {
			select {
			case out <- it.v:
				select {
				case it.ack <- struct{}{}:
				case <-ctx.Done():
				}
			case <-ctx.Done():
			}
		}
	}()
	return out
}
