//go:build ignore

// Mistake: After 429 the reflector lists, which is the most expensive thing it could ask of a server that is
//   busy (kubernetes#100878).
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
		case kit.IsConnectionRefused(err):
			r.backoff.wait(ctx)
		default:
			return err
		}
	}
}
