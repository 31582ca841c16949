//go:build ignore

// Mistake: With a ctx that has ended Merge has nothing to do, so it returns a channel at once; nobody closes it.
// Killed by: merge-ends-with-ctx
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"sync"
)

func Merge[T any](ctx context.Context, inputs ...<-chan T) <-chan T {
	out := make(chan T)
	if ctx.Err() != nil {
		return out
	}
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
