//go:build ignore

// Mistake: One goroutine empties one input after the other.
// Killed by: merge-hears-every-input
// Verdict: deadlock

package cancellation

import (
	"context"
	"sync"
)

func Merge[T any](ctx context.Context, inputs ...<-chan T) <-chan T {
	out := make(chan T)
	var forwarders sync.WaitGroup
	forwarders.Go(func() {
		for _, in := range inputs {
			forward(ctx, in, out)
		}
	})
	go func() {
		forwarders.Wait()
		close(out)
	}()
	return out
}
