//go:build ignore

// Mistake: A reflector that is stopped gets the error of its context. A connection that is lost at that moment says something else,
//   and passes for a failure.
// Killed by: errors-are-told
// Verdict: wrong-answer

package reflector

import (
	"context"
	"errors"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *Reflector[T]) ListAndWatch(ctx context.Context) error {
	err := r.list(ctx)
	if err == nil {
		err = r.follow(ctx)
		if errors.Is(err, ctx.Err()) {
			return nil
		}
		return err
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func (r *Reflector[T]) follow(ctx context.Context) error {
	resyncing, cancel := context.WithCancel(ctx)
	broken, ended := make(chan error, 1), make(chan struct{})
	defer func() {
		cancel()
		<-ended
	}()
	go func() {
		defer close(ended)
		r.resync(resyncing, broken)
	}()
	for {
		err := r.watch(ctx, broken)
		switch {
		case err == nil && ctx.Err() != nil:
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
