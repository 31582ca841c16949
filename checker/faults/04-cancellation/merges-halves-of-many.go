//go:build ignore

// Mistake: From 64 inputs on they are merged as two halves: each stage holds a value of its own.
// Killed by: merge-does-not-hoard
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"sync"
)

func Merge[T any](ctx context.Context, inputs ...<-chan T) <-chan T {
	if half := len(inputs) / 2; half > 32 {
		return Merge(ctx, Merge(ctx, inputs[:half]...), Merge(ctx, inputs[half:]...))
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
