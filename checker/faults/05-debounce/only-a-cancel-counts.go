//go:build ignore

// Mistake: A context counts as done when it was cancelled; that it may have come to its deadline is not thought of.
// Killed by: cancel-beats-due
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

	for ctx.Err() != context.Canceled {
		if r.due() {
			r.start(ctx, push)
		}
		if r.closed && !r.pushing {
			return nil // nothing is pending either: it would have been due just now
		}
		select {
		case <-ctx.Done():
			if r.pushing {
				<-r.idle
			}
			return ctx.Err()
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
