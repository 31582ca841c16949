//go:build ignore

// Mistake: A mutex lets one forwarder send at a time; the others wait for it, and none of them listens to ctx.
// Killed by: merge-ends-with-ctx
// Verdict: timeout

package cancellation

import (
	"context"
	"sync"
)

func Merge[T any](ctx context.Context, inputs ...<-chan T) <-chan T {
	out := make(chan T)
	var forwarders sync.WaitGroup
	var mu sync.Mutex
	for _, in := range inputs {
		forwarders.Go(func() {
			for v := range OrDone(ctx, in) {
				mu.Lock()
				select {
				case <-ctx.Done():
				case out <- v:
				}
				mu.Unlock()
			}
		})
	}
	go func() {
		forwarders.Wait()
		close(out)
	}()
	return out
}
