//go:build ignore

// Mistake: A goroutine waits for the end of ctx, and nobody tells it when all inputs have closed before.
// Killed by: merge-delivers-everything
// Verdict: goroutine-leak

package cancellation

import (
	"context"
	"sync"
)

func Merge[T any](ctx context.Context, inputs ...<-chan T) <-chan T {
	out, stop := make(chan T), make(chan struct{})
	go func() {
		<-ctx.Done()
		close(stop)
	}()
	var forwarders sync.WaitGroup
	for _, in := range inputs {
		forwarders.Go(func() {
			for v := range OrDone(ctx, in) {
				select {
				case <-stop:
					return
				case out <- v:
				}
			}
		})
	}
	go func() {
		forwarders.Wait()
		close(out)
	}()
	return out
}
