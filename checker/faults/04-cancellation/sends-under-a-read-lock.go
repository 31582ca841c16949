//go:build ignore

// Mistake: A read lock hinders no other sender, so it may be held in a send; but the forwarder whose input has closed waits for
//   the write lock, and everybody behind it.
// Killed by: merge-ends-with-ctx
// Verdict: timeout

package cancellation

import (
	"context"
	"sync"
)

func Merge[T any](ctx context.Context, inputs ...<-chan T) <-chan T {
	out := make(chan T)
	var mu sync.RWMutex
	left := len(inputs)
	if left == 0 {
		close(out)
	}
	for _, in := range inputs {
		go func() {
			defer func() {
				mu.Lock()
				defer mu.Unlock()
				if left--; left == 0 {
					close(out)
				}
			}()
			for v := range OrDone(ctx, in) {
				mu.RLock()
				select {
				case <-ctx.Done():
				case out <- v:
				}
				mu.RUnlock()
			}
		}()
	}
	return out
}
