//go:build ignore

// Mistake: A deadline that has passed before ListAndWatch is called is returned as an error.
// Killed by: errors-are-told
// Verdict: wrong-answer

package reflector

import (
	"context"
	"errors"
)

func (r *Reflector[T]) ListAndWatch(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return ctx.Err()
	}
	err := r.list(ctx)
	if err == nil {
		err = r.follow(ctx)
	}
	if ctx.Err() != nil {
		return nil // what failed now failed because we were told to stop
	}
	return err
}
