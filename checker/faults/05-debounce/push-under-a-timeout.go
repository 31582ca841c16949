//go:build ignore

// Mistake: Each push gets a timeout that nobody asked for: on a large mesh every push is cut off.
// Killed by: cancel-waits-for-the-push
// Verdict: wrong-answer

package debounce

import (
	"context"
	"time"
)

func (r *run[U]) start(ctx context.Context, push func(ctx context.Context, batch U)) {
	batch := r.batch
	var none U
	r.batch, r.pending, r.pushing = none, false, true
	go func() {
		own, end := context.WithTimeout(ctx, time.Minute)
		push(own, batch)
		end()
		r.idle <- struct{}{}
	}()
}
