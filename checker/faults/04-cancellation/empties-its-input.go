//go:build ignore

// Mistake: A forwarder that ends empties its input, to let the senders go: the values would have had another reader.
// Killed by: merge-ends-with-ctx
// Verdict: wrong-answer

package cancellation

import "context"

func forward[T any](ctx context.Context, in <-chan T, out chan<- T) {
	defer func() {
		for len(in) > 0 {
			<-in
		}
	}()
	for v := range OrDone(ctx, in) {
		select {
		case <-ctx.Done():
			return
		case out <- v:
		}
	}
}
