//go:build ignore

// Mistake: OnError comes after the wait: an operator sees the error half a minute late.
// Killed by: errors-are-told
// Verdict: wrong-answer

package reflector

import "context"

func (r *Reflector[T]) Run(ctx context.Context) {
	for ctx.Err() == nil {
		err := r.ListAndWatch(ctx)
		r.backoff.wait(ctx)
		if err != nil && r.options.OnError != nil {
			r.options.OnError(err)
		}
	}
}
