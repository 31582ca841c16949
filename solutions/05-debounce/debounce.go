// Package debounce is lab 05: many updates, one push. Updates that come in quick
// succession are merged, and pushed together when they have been quiet for a while.
package debounce

import (
	"context"
	"time"
)

// Debouncer gathers updates and pushes them in batches. A Debouncer holds no state
// of its own: any number of Runs may use one at the same time.
type Debouncer[U any] struct {
	// Quiet is how long a batch waits after its last update for another one. With
	// Quiet <= 0 a batch does not wait.
	Quiet time.Duration
	// Max is how long a batch waits at most, counted from its first update,
	// however many updates follow. With Max <= 0 there is no such bound.
	Max time.Duration
}

// Run merges updates and pushes them in batches until updates is closed or ctx is
// done. The stub's documentation is the contract.
//
// One goroutine, this one, owns all state; a push runs in another and reports back
// by one send. The select only learns what has happened. What follows from it is
// decided in one place, at the head of the loop, from the state and the clock:
// however the loop was woken, it does not have to remember why. A debouncer that
// acts inside its select has to get every pair of events right (the timer that
// fires during a push, the close that comes with it), and loses an update where
// it does not.
func (d Debouncer[U]) Run(ctx context.Context, updates <-chan U, merge func(batch, update U) U, push func(ctx context.Context, batch U)) error {
	r := &run[U]{Debouncer: d, merge: merge, idle: make(chan struct{}, 1)}
	r.timer = time.NewTimer(0)
	defer r.timer.Stop()

	for ctx.Err() == nil {
		if r.due() {
			r.start(ctx, push)
		}
		if r.closed && !r.pushing {
			return nil // nothing is pending either: it would have been due just now
		}
		select {
		case <-ctx.Done():
		case <-r.wake():
		case <-r.idle:
			r.pushing = false
		case u, ok := <-updates:
			if ok {
				r.add(u)
			} else {
				r.closed, updates = true, nil // a closed channel is always ready, a nil one never
			}
		}
	}
	if r.pushing {
		<-r.idle
	}
	return ctx.Err()
}

// run is the state of one Run. Only Run's own goroutine touches it.
type run[U any] struct {
	Debouncer[U]
	merge func(batch, update U) U

	batch       U         // what was received and not yet handed to push
	pending     bool      // whether there is a batch
	first, last time.Time // when its first and its last update came

	closed  bool          // updates is closed
	pushing bool          // a push is under way
	idle    chan struct{} // the push under way has returned
	timer   *time.Timer   // the only one; wake sets it
}

// add puts an update into the batch.
func (r *run[U]) add(u U) {
	r.last = time.Now()
	if r.pending {
		r.batch = r.merge(r.batch, u)
		return
	}
	r.batch, r.pending, r.first = u, true, r.last
}

// due reports whether the batch is to be pushed now.
func (r *run[U]) due() bool {
	if !r.pending || r.pushing {
		return false
	}
	return r.closed || !time.Now().Before(r.deadline())
}

// deadline is when the batch becomes due.
func (r *run[U]) deadline() time.Time {
	at := r.last.Add(max(r.Quiet, 0))
	if latest := r.first.Add(r.Max); r.Max > 0 && latest.Before(at) {
		return latest
	}
	return at
}

// wake is ready when the batch becomes due. While there is none, or while a push
// runs, nothing becomes due: the nil channel takes the case out of the select, and
// the end of the push wakes the loop anyway.
func (r *run[U]) wake() <-chan time.Time {
	if !r.pending || r.pushing {
		return nil
	}
	r.timer.Reset(time.Until(r.deadline())) // since Go 1.23 no stale tick survives a Reset
	return r.timer.C
}

// start hands the batch to push. The batch is forgotten before push can see it:
// from here on it belongs to push alone, and the next update begins another. What
// Run wrote to it happens before the go statement, so push may read it without a
// lock.
func (r *run[U]) start(ctx context.Context, push func(ctx context.Context, batch U)) {
	batch := r.batch
	var none U
	r.batch, r.pending, r.pushing = none, false, true
	go func() {
		push(ctx, batch)
		r.idle <- struct{}{} // has room: at most one push is under way
	}()
}
