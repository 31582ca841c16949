//go:build ignore

// Mistake: Many inputs are merged as two halves, and their channels once more: each stage holds a value of its own.
// Killed by: merge-does-not-hoard
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"sync"
)

func Merge[T any](ctx context.Context, inputs ...<-chan T) <-chan T {
	if n := len(inputs); n > 8 {
		return Merge(ctx, Merge(ctx, inputs[:n/2]...), Merge(ctx, inputs[n/2:]...))
	}
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
