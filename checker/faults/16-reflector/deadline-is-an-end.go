//go:build ignore

// Mistake: Run returns when the deadline of ctx is nearer than the first wait, since nothing would come of another try.
// Killed by: stops-in-a-backoff
// Verdict: wrong-answer

package reflector

import (
	"context"
	"time"
)

func (r *Reflector[T]) Run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := r.ListAndWatch(ctx); err != nil && r.options.OnError != nil {
			r.options.OnError(err)
		}
		if d, ok := ctx.Deadline(); ok && time.Until(d) < r.options.Backoff.Duration {
			return
		}
		r.backoff.wait(ctx)
	}
}
