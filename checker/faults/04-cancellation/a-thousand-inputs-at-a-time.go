//go:build ignore

// Mistake: A thousand forwarders run at a time. A silent input keeps its place for ever, so those that come
//   after them wait.
// Killed by: merge-hears-every-input
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"sync"
)

func Merge[T any](ctx context.Context, inputs ...<-chan T) <-chan T {
	out := make(chan T)
	places := make(chan struct{}, 1000)
	var forwarders sync.WaitGroup
	for _, in := range inputs {
		forwarders.Go(func() {
			select {
			case places <- struct{}{}:
			case <-ctx.Done():
				return
			}
			defer func() { <-places }()
			forward(ctx, in, out)
		})
	}
	go func() {
		forwarders.Wait()
		close(out)
	}()
	return out
}
