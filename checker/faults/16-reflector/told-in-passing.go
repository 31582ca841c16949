//go:build ignore

// Mistake: OnError may be slow, so it gets a goroutine of its own: it may come after the wait, and twice at once.
// Killed by: errors-are-told
// Verdict: data-race

package reflector

import "context"

func (r *Reflector[T]) Run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := r.ListAndWatch(ctx); err != nil && r.options.OnError != nil {
			go r.options.OnError(err)
		}
		r.backoff.wait(ctx)
	}
}
