//go:build ignore

// Mistake: After a refused connection the reflector lists, and so do all others when the server comes up.
// Killed by: a-busy-server-is-not-listed
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
		err := r.watch(ctx, broken)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
		case kit.IsTooManyRequests(err):
			r.backoff.wait(ctx)
		default:
			return err
		}
	}
}
