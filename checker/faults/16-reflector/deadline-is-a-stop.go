//go:build ignore

// Mistake: A request that fails with context.DeadlineExceeded or context.Canceled is taken for the end of ctx. A
//   client's own timeout looks the same.
// Killed by: errors-are-told
// Verdict: wrong-answer

package reflector

import (
	"context"
	"errors"
)

func (r *Reflector[T]) ListAndWatch(ctx context.Context) error {
	err := r.list(ctx)
	if err == nil {
		err = r.follow(ctx)
	}
	if ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
