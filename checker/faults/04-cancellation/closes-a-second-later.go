//go:build ignore

// Mistake: When all inputs have closed the reader gets a second to fetch the last value, and then the channel closes: the last send has
//   returned only when the value was fetched.
// Killed by: merge-ends-with-ctx
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"sync"
	"time"
)

func Merge[T any](ctx context.Context, inputs ...<-chan T) <-chan T {
	out := make(chan T)
	var forwarders sync.WaitGroup
	for _, in := range inputs {
		forwarders.Go(func() { forward(ctx, in, out) })
	}
	go func() {
		forwarders.Wait()
		if len(inputs) > 0 {
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
		close(out)
	}()
	return out
}
