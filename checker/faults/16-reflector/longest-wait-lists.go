//go:build ignore

// Mistake: Once the waits have grown as far as they can, a server that is busy or away is given up, and a list follows: the
//   heaviest request, at the worst moment.
// Killed by: a-busy-server-is-not-listed
// Verdict: wrong-answer

package reflector

import (
	"context"
	"errors"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *Reflector[T]) follow(ctx context.Context) error {
	var beside sync.WaitGroup
	defer beside.Wait() // after cancel: deferred calls run in reverse
	resyncing, cancel := context.WithCancel(ctx)
	defer cancel()
	broken := make(chan error, 1)
	beside.Go(func() { r.resync(resyncing, broken) })
	for {
		err := r.watch(ctx, broken)
		patient := r.backoff.current.Steps > 0 || r.backoff.initial.Steps == 0
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
		case errors.Is(err, errResync):
			return err
		case patient && (kit.IsTooManyRequests(err) || kit.IsConnectionRefused(err)):
			r.backoff.wait(ctx)
		default:
			return err
		}
	}
}
