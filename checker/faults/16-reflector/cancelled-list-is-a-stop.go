//go:build ignore

// Mistake: A list that failed with context.Canceled is taken for a stop, although ctx is alive: it was the client's own time
//   that was up, and nobody hears of it.
// Killed by: errors-are-told
// Verdict: wrong-answer

package reflector

import (
	"context"
	"errors"
)

func (r *Reflector[T]) ListAndWatch(ctx context.Context) error {
	err := r.list(ctx)
	if errors.Is(err, context.Canceled) {
		return nil
	}
	if err == nil {
		err = r.follow(ctx)
	}
	if ctx.Err() != nil {
		return nil // what failed now failed because we were told to stop
	}
	return err
}
