//go:build ignore

// Mistake: push is called in the loop: nobody receives while it runs.
// Killed by: senders-never-wait
// Verdict: wrong-answer

package debounce

import "context"

func (r *run[U]) start(ctx context.Context, push func(ctx context.Context, batch U)) {
	batch := r.batch
	var none U
	r.batch, r.pending, r.pushing = none, false, true
	push(ctx, batch)
	r.idle <- struct{}{}
}
