//go:build ignore

// Mistake: Without a Quiet pushes are many, so all get one context; the first push that returns cancels it.
// Killed by: zero-means-none
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
	child, cancel := ctx, context.CancelFunc(func() {})
	if r.Quiet <= 0 {
		if r.all == nil {
			r.all, r.stop = context.WithCancel(ctx)
		}
		child, cancel = r.all, r.stop
	}
	go func() {
		defer func() { r.idle <- struct{}{} }()
		defer cancel()
		push(child, batch)
	}()
}

type run[U any] struct {
	Debouncer[U]
	merge func(batch, update U) U

	all  context.Context
	stop context.CancelFunc

	batch       U         // what was received and not yet handed to push
	pending     bool      // whether there is a batch
	first, last time.Time // when its first and its last update came

	closed  bool          // updates is closed
	pushing bool          // a push is under way
	idle    chan struct{} // the push under way has returned
	timer   *time.Timer   // the only one; wake sets it
}
