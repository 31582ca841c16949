//go:build ignore

// Mistake: A forwarder that has come to its end closes the output; the others send on a closed channel
//   (kubernetes#108080).
// Killed by: merge-hears-every-input
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"sync"
)

func Merge[T any](ctx context.Context, inputs ...<-chan T) <-chan T {
	out := make(chan T)
	var forwarders sync.WaitGroup
	var once sync.Once
	for _, in := range inputs {
		forwarders.Go(func() {
			forward(ctx, in, out)
			once.Do(func() { close(out) })
		})
	}
	return out
}
