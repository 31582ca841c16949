//go:build ignore

// Mistake: A Resync that fails because the time of its own context is up is taken for the end of ctx, and its error is lost.
// Killed by: errors-are-told
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

	for {
		err := r.watch(ctx, broken)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil: // it came to its end: go on from where it stood
		case errors.Is(err, context.DeadlineExceeded) && errors.Is(err, errResync):
			return nil
		case errors.Is(err, errResync):
			return err
		case kit.IsTooManyRequests(err) || kit.IsConnectionRefused(err):
			r.backoff.wait(ctx)
		default:
			return err
		}
	}
}
