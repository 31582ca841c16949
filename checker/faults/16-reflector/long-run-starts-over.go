//go:build ignore

// Mistake: The waits start over when ListAndWatch has gone on for two minutes, however often it had to back off in them.
// Killed by: one-backoff-for-all
// Verdict: wrong-answer

package reflector

import (
	"context"
	"time"
)

func (r *Reflector[T]) Run(ctx context.Context) {
	for ctx.Err() == nil {
		began := time.Now()
		if err := r.ListAndWatch(ctx); err != nil && r.options.OnError != nil {
			r.options.OnError(err)
		}
		if time.Since(began) > healthy {
			r.backoff.current = r.backoff.initial
		}
		r.backoff.wait(ctx)
	}
}
