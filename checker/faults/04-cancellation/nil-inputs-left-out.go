//go:build ignore

// Mistake: Nil inputs are left out: with no other input the channel is closed at once.
// Killed by: merge-ends-with-ctx
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"sync"
)

func Merge[T any](ctx context.Context, inputs ...<-chan T) <-chan T {
	out := make(chan T)
	var forwarders sync.WaitGroup
	for _, in := range inputs {
		if in == nil {
			continue
		}
		forwarders.Go(func() { forward(ctx, in, out) })
	}
	go func() {
		forwarders.Wait()
		close(out)
	}()
	return out
}
