//go:build ignore

// Mistake: push gets a context that nobody can cancel, and Run waits for it.
// Killed by: cancel-waits-for-the-push
// Verdict: wrong-answer

package debounce

import "context"

func (r *run[U]) start(ctx context.Context, push func(ctx context.Context, batch U)) {
	batch := r.batch
	var none U
	r.batch, r.pending, r.pushing = none, false, true
	go func() {
		push(context.Background(), batch)
		r.idle <- struct{}{}
	}()
}
