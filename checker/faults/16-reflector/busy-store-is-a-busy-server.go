//go:build ignore

// Mistake: Every error that a watch comes back with is taken for the server's. If a Resync fails with 429, the next watch
//   follows, and nobody resyncs any longer (client-go does this).
// Killed by: errors-are-told
// Verdict: wrong-answer

package reflector

import (
	"context"
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
