//go:build ignore

// Mistake: Run returns when a hundred calls of ListAndWatch have failed.
// Killed by: one-backoff-for-all
// Verdict: wrong-answer

package reflector

import "context"

func (r *Reflector[T]) Run(ctx context.Context) {
	for range 100 {
		if ctx.Err() != nil {
			return
		}
		if err := r.ListAndWatch(ctx); err != nil && r.options.OnError != nil {
			r.options.OnError(err)
		}
		r.backoff.wait(ctx)
	}
}
