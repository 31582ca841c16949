//go:build ignore

// Mistake: Only the waits before a list are stretched at random, because lists are what hurts a server. All watches that it
//   has refused in one moment come back in one moment.
// Killed by: one-backoff-for-all
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
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
		case errors.Is(err, errResync):
			return err
		case kit.IsTooManyRequests(err) || kit.IsConnectionRefused(err):
			r.waitExactly(ctx)
		default:
			return err
		}
	}
}

func (r *Reflector[T]) waitExactly(ctx context.Context) {
	was := r.backoff.initial.Jitter
	r.backoff.initial.Jitter, r.backoff.current.Jitter = 0, 0
	r.backoff.wait(ctx)
	r.backoff.initial.Jitter, r.backoff.current.Jitter = was, was
}
