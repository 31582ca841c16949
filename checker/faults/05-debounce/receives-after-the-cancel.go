//go:build ignore

// Mistake: While Run waits for its last push it goes on to receive, 'so that no sender is stuck': what it
//   takes, nobody will push.
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

	for ctx.Err() == nil {
		if r.due() {
			r.start(ctx, push)
		}
		if r.closed && !r.pushing {
			return nil
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
				r.closed, updates = true, nil
			}
		}
	}
	for r.pushing {
		select {
		case <-r.idle:
			r.pushing = false
		case _, ok := <-updates:
			if !ok {
				updates = nil
			}
		}
	}
	return ctx.Err()
}
