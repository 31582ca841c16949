//go:build ignore

// Mistake: Where the server is busy there is nothing to resync for: the resync ends before a backoff, and begins
//   anew with the watch after it.
// Killed by: resyncs-each-period
// Verdict: wrong-answer

package reflector

import (
	"context"
	"errors"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *Reflector[T]) follow(ctx context.Context) error {
	for {
		err := r.followUntilBusy(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errResync):
			return err
		case kit.IsTooManyRequests(err) || kit.IsConnectionRefused(err):
			r.backoff.wait(ctx)
		default:
			return err
		}
	}
}

func (r *Reflector[T]) followUntilBusy(ctx context.Context) error {
	var beside sync.WaitGroup
	defer beside.Wait()
	resyncing, cancel := context.WithCancel(ctx)
	defer cancel()
	broken := make(chan error, 1)
	beside.Go(func() { r.resync(resyncing, broken) })
	for {
		if err := r.watch(ctx, broken); err != nil {
			return err
		}
	}
}
