//go:build ignore

// Mistake: The push after the close is to finish whatever happens, so its context cannot be cancelled.
// Killed by: cancel-waits-for-the-push
// Verdict: wrong-answer

package debounce

import "context"

func (r *run[U]) start(ctx context.Context, push func(ctx context.Context, batch U)) {
	batch := r.batch
	var none U
	r.batch, r.pending, r.pushing = none, false, true
	if r.closed {
		ctx = context.WithoutCancel(ctx)
	}
	go func() {
		push(ctx, batch)
		r.idle <- struct{}{}
	}()
}
