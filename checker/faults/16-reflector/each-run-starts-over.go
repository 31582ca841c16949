//go:build ignore

// Mistake: Run begins with a new backoff. Somebody who stops a reflector in an outage and runs it again sends the
//   server a list every second.
// Killed by: one-backoff-for-all
// Verdict: wrong-answer

package reflector

import "context"

func (r *Reflector[T]) Run(ctx context.Context) {
	r.backoff = newBackoff(r.options.Backoff)
	for ctx.Err() == nil {
		if err := r.ListAndWatch(ctx); err != nil && r.options.OnError != nil {
			r.options.OnError(err)
		}
		r.backoff.wait(ctx)
	}
}
