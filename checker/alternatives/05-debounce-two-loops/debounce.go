// Package debounce is lab 05 with two loops: one goroutine receives and merges, and Run's own
// pushes. The batch goes back and forth between them in a channel of one.
package debounce

import (
	"context"
	"time"
)

// Debouncer gathers updates and pushes them in batches.
type Debouncer[U any] struct {
	Quiet time.Duration // how long a batch waits after its last update
	Max   time.Duration // how long it waits at most after its first, 0 for any time
}

// slot is what the loops know. It belongs to the loop that has received it.
type slot[U any] struct {
	batch       U
	full        bool
	closed      bool
	first, last time.Time
}

// Run pushes what comes from updates until that is closed, or until ctx is done.
func (d Debouncer[U]) Run(parent context.Context, updates <-chan U, merge func(batch, update U) U, push func(ctx context.Context, batch U)) error {
	ctx, cancel := context.WithCancel(parent)
	state := make(chan slot[U], 1)
	state <- slot[U]{}
	news := make(chan struct{}, 1)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for ctx.Err() == nil { // a select would take either where both are ready
			var u U
			var ok bool
			select {
			case u, ok = <-updates:
			case <-ctx.Done():
				return
			}
			s := <-state
			now := time.Now()
			switch {
			case !ok:
				s.closed = true
			case s.full:
				s.batch = merge(s.batch, u)
			default:
				s.batch, s.full, s.first = u, true, now
			}
			if ok {
				s.last = now
			}
			state <- s
			select {
			case news <- struct{}{}:
			default:
			}
			if !ok {
				return
			}
		}
	}()
	defer func() { <-gone }()
	defer cancel()
	for {
		s := <-state
		ended := ctx.Err() != nil // not before: merge had the state, and may have seen the end
		var wait time.Duration
		if !s.closed {
			wait = max(0, time.Until(s.last.Add(d.Quiet)))
			if d.Max > 0 {
				wait = max(0, min(wait, time.Until(s.first.Add(d.Max))))
			}
		}
		if s.full && wait == 0 && !ended {
			state <- slot[U]{closed: s.closed}
			push(ctx, s.batch)
			continue
		}
		state <- s
		if ended {
			return ctx.Err()
		}
		if s.closed { // and what was pending has been pushed
			return nil
		}
		var alarm <-chan time.Time
		if s.full {
			alarm = time.After(wait)
		}
		select {
		case <-alarm:
		case <-news:
		case <-ctx.Done():
		}
	}
}
