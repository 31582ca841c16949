//go:build ignore

// Mistake: The channel is closed as soon as ctx is done; a forwarder that is on its way to its select sends
//   on a closed channel.
// Killed by: merge-ends-with-ctx
// Verdict: data-race (the race detector sees a send beside a close, and exits before the panic)

package cancellation

import (
	"context"
	"sync"
)

func Merge[T any](ctx context.Context, inputs ...<-chan T) <-chan T {
	out := make(chan T)
	var forwarders sync.WaitGroup
	for _, in := range inputs {
		forwarders.Go(func() { forward(ctx, in, out) })
	}
	go func() {
		ended := make(chan struct{})
		go func() { forwarders.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-ctx.Done():
		}
		close(out)
	}()
	return out
}
