//go:build ignore

// Mistake: With a ctx that is done already ListAndWatch returns its error, and Run reports it: each shutdown looks like a failure.
// Killed by: errors-are-told
// Verdict: wrong-answer

package reflector

import "context"

func (r *Reflector[T]) ListAndWatch(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
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
