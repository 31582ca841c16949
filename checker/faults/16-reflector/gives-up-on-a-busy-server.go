//go:build ignore

// Mistake: After a hundred watches that were refused in a row the reflector lists, in case that helps.
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

	// Room for one error, so that the goroutine can leave it behind and end although
	// nobody reads any longer.
	broken := make(chan error, 1)
	beside.Go(func() { r.resync(resyncing, broken) })

	for refused := 0; ; {
		err := r.watch(ctx, broken)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil: // it came to its end: go on from where it stood
		case errors.Is(err, errResync):
			return err
		case kit.IsTooManyRequests(err) || kit.IsConnectionRefused(err):
			if refused++; refused > 100 {
				return err
			}
			r.backoff.wait(ctx)
		default:
			return err
		}
	}
}
