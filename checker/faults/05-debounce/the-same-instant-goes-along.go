//go:build ignore

// Mistake: A batch that was pushed at the instant of its only update is kept, and what comes at that instant is merged into it.
// Killed by: zero-means-none
// Verdict: wrong-answer

package debounce

import (
	"context"
	"time"
)

func (r *run[U]) add(u U) {
	now := time.Now()
	if r.pending || r.pushing && now.Equal(r.last) {
		r.batch, r.pending, r.last = r.merge(r.batch, u), true, now
		return
	}
	r.batch, r.pending, r.first, r.last = u, true, now, now
}

func (r *run[U]) start(ctx context.Context, push func(ctx context.Context, batch U)) {
	batch := r.batch
	r.pending, r.pushing = false, true
	go func() {
		push(ctx, batch)
		r.idle <- struct{}{}
	}()
}
