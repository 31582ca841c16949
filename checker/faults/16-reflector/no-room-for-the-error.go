//go:build ignore

// Mistake: The channel for the resync's error has no room: with nobody left to read, the goroutine never
//   ends, and who waits for it neither.
// Killed by: resync-ends-with-its-watches
// Verdict: wrong-answer

package reflector

import (
	"context"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *Reflector[T]) follow(ctx context.Context) error {
	var beside sync.WaitGroup
	defer beside.Wait()
	resyncing, cancel := context.WithCancel(ctx)
	defer cancel()

	broken := make(chan error)
	beside.Go(func() { r.resync(resyncing, broken) })

	for {
		err := r.watch(ctx, broken)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
		case kit.IsTooManyRequests(err) || kit.IsConnectionRefused(err):
			r.backoff.wait(ctx)
		default:
			return err
		}
	}
}
