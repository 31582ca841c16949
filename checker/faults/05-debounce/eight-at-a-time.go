//go:build ignore

// Mistake: Before each look at the clock up to eight updates that are ready are merged, to save wakeups; a batch that is due waits for all of them.
// Killed by: max-bounds-the-wait
// Verdict: wrong-answer

package debounce

import (
	"context"
	"time"
)

func (d Debouncer[U]) Run(ctx context.Context, updates <-chan U, merge func(batch, update U) U, push func(ctx context.Context, batch U)) error {
	r := &run[U]{Debouncer: d, merge: merge, idle: make(chan struct{}, 1)}
	r.timer = time.NewTimer(0)
	defer r.timer.Stop()

	for ctx.Err() == nil {
		for n := 0; n < 8 && r.pending && ctx.Err() == nil; n++ {
			select {
			case u, ok := <-updates:
				if ok {
					r.add(u)
				} else {
					r.closed, updates = true, nil
				}
			default:
				n = 8
			}
		}
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
