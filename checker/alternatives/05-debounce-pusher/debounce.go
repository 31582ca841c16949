// Package debounce is lab 05 with a pusher: one goroutine lives as long as Run and pushes whatever
// is sent to it. Run itself receives, merges, and offers a batch when it is due.
package debounce

import (
	"context"
	"sync"
	"time"
)

// Debouncer gathers updates and pushes them in batches.
type Debouncer[U any] struct {
	Quiet time.Duration // how long a batch waits after its last update
	Max   time.Duration // how long it waits at most after its first, 0 for any time
}

// Run pushes what comes from updates until that is closed, or until ctx is done.
func (d Debouncer[U]) Run(ctx context.Context, updates <-chan U, merge func(batch, update U) U, push func(ctx context.Context, batch U)) error {
	child, cancel := context.WithCancel(ctx)
	work := make(chan U)
	idle := make(chan struct{}, 1)
	var pusher sync.WaitGroup
	pusher.Go(func() {
		for b := range work {
			push(child, b)
			idle <- struct{}{}
		}
	})
	defer cancel() // after the last push has returned
	defer pusher.Wait()
	defer close(work)

	var batch []U // empty, or the batch
	var first, last time.Time
	busy, over := false, false
	for ctx.Err() == nil {
		if over && !busy && len(batch) == 0 {
			return nil
		}
		var alarm <-chan time.Time
		if len(batch) > 0 && !busy {
			wait := d.left(first, last)
			if wait <= 0 || over {
				work <- batch[0] // the pusher is idle, or will be in a moment
				batch, busy = nil, true
				continue
			}
			alarm = time.After(wait)
		}
		select {
		case <-ctx.Done():
		case <-alarm:
		case <-idle:
			busy = false
		case u, ok := <-updates:
			last = time.Now()
			switch {
			case !ok:
				over, updates = true, nil
			case len(batch) == 0:
				batch, first = []U{u}, last
			default:
				batch[0] = merge(batch[0], u)
			}
		}
	}
	return ctx.Err()
}

// left is how long a batch still waits whose first and last updates came then.
func (d Debouncer[U]) left(first, last time.Time) time.Duration {
	wait := time.Until(last.Add(d.Quiet))
	if d.Max > 0 {
		wait = min(wait, time.Until(first.Add(d.Max)))
	}
	return wait
}
