//go:build ignore

// Mistake: The watch gets a context of its own and never hears of the stop.
// Killed by: stops-in-a-watch
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

	broken := make(chan error, 1)
	beside.Go(func() { r.resync(resyncing, broken) })

	for {
		err := r.watch(context.WithoutCancel(ctx), broken)
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
