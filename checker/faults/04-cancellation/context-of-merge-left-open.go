//go:build ignore

// Mistake: Merge derives a context of its own, and nobody cancels it when all inputs have closed.
// Killed by: merge-ends-with-ctx
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"sync"
)

func Merge[T any](ctx context.Context, inputs ...<-chan T) <-chan T {
	ctx, cancel := context.WithCancel(ctx)
	context.AfterFunc(ctx, cancel)
	out := make(chan T)
	var forwarders sync.WaitGroup
	for _, in := range inputs {
		forwarders.Go(func() { forward(ctx, in, out) })
	}
	go func() {
		forwarders.Wait()
		close(out)
	}()
	return out
}
