//go:build ignore

// Mistake: Each push but the first gets a timeout that nobody asked for.
// Killed by: cancel-waits-for-the-push
// Verdict: wrong-answer

package debounce

import (
	"context"
	"time"
)

type run[U any] struct {
	Debouncer[U]
	merge func(batch, update U) U

	batch       U
	pending     bool
	first, last time.Time

	closed  bool
	pushing bool
	idle    chan struct{}
	timer   *time.Timer

	pushes int
}

func (r *run[U]) start(ctx context.Context, push func(ctx context.Context, batch U)) {
	batch := r.batch
	var none U
	r.batch, r.pending, r.pushing = none, false, true
	r.pushes++
	end := func() {}
	if r.pushes > 1 {
		ctx, end = context.WithTimeout(ctx, 10*time.Minute)
	}
	go func() {
		push(ctx, batch)
		end()
		r.idle <- struct{}{}
	}()
}
