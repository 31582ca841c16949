//go:build ignore

// Mistake: With one input there is nothing to merge: its channel gets room for a value, to spare a change of goroutines.
// Killed by: merge-does-not-hoard
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"sync"
)

func Merge[T any](ctx context.Context, inputs ...<-chan T) <-chan T {
	room := 0
	if len(inputs) == 1 {
		room = 1
	}
	out := make(chan T, room)
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
