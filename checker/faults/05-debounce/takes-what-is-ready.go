//go:build ignore

// Mistake: ctx is checked before a push and not before a receive; where an update is ready, too, select takes either.
// Killed by: cancel-waits-for-the-push
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

	for {
		if ctx.Err() == nil && r.due() {
			r.start(ctx, push)
		}
		if r.closed && !r.pushing && !r.pending {
			return nil
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
				r.closed, updates = true, nil
			}
		}
	}
}
