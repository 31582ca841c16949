//go:build ignore

// Mistake: push gets a context of its own, and nobody cancels it when push has returned: package context goes on watching ctx for it.
// Killed by: close-flushes
// Verdict: wrong-answer

package debounce

import "context"

func (r *run[U]) start(ctx context.Context, push func(ctx context.Context, batch U)) {
	batch := r.batch
	var none U
	r.batch, r.pending, r.pushing = none, false, true
	child, _ := context.WithCancel(ctx)
	go func() {
		push(child, batch)
		r.idle <- struct{}{}
	}()
}
