//go:build ignore

// Mistake: A list is given up after a day.
// Killed by: stops-in-a-request
// Verdict: wrong-answer

package reflector

import (
	"context"
	"time"
)

func (r *Reflector[T]) ListAndWatch(ctx context.Context) error {
	listing, cancel := context.WithTimeout(ctx, 24*time.Hour)
	defer cancel()
	err := r.list(listing)
	if err == nil {
		err = r.follow(ctx)
	}
	if ctx.Err() != nil {
		return nil // what failed now failed because we were told to stop
	}
	return err
}
