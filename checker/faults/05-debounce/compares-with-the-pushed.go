//go:build ignore

// Mistake: The batch that was pushed is kept, and compared with the next one when that is pushed.
// Killed by: batch-is-handed-over
// Verdict: data-race

package debounce

import (
	"context"
	"fmt"
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

	pushed  U // the batch before
	changed int
}

func (r *run[U]) start(ctx context.Context, push func(ctx context.Context, batch U)) {
	batch := r.batch
	if fmt.Sprint(batch) != fmt.Sprint(r.pushed) {
		r.changed++
	}
	var none U
	r.pushed, r.batch, r.pending, r.pushing = batch, none, false, true
	go func() {
		push(ctx, batch)
		r.idle <- struct{}{}
	}()
}
