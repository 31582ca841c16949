//go:build ignore

// Mistake: The resync has a context of its own, which ends when the watches have been left: while the store is
//   busy with an event, it goes on after Run's context is done.
// Killed by: resync-ends-with-its-watches
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
	defer beside.Wait()
	resyncing, cancel := context.WithCancel(context.Background())
	defer cancel()

	broken := make(chan error, 1)
	beside.Go(func() { r.resync(resyncing, broken) })

	for {
		err := r.watch(ctx, broken)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
		case errors.Is(err, errResync):
			return err
		case kit.IsTooManyRequests(err) || kit.IsConnectionRefused(err):
			r.backoff.wait(ctx)
		default:
			return err
		}
	}
}
