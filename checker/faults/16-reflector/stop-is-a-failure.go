//go:build ignore

// Mistake: What a request returns because ctx is done is reported like any other error.
// Killed by: errors-are-told
// Verdict: wrong-answer

package reflector

import "context"

func (r *Reflector[T]) ListAndWatch(ctx context.Context) error {
	err := r.list(ctx)
	if err == nil {
		err = r.follow(ctx)
	}
	return err
}
