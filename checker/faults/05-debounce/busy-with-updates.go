//go:build ignore

// Mistake: While a push runs the loop takes all updates that are ready, and does not see that the push has returned.
// Killed by: due-during-a-push
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
				for r.pushing && len(updates) > 0 && ctx.Err() == nil {
					r.add(<-updates)
				}
			} else {
				r.closed, updates = true, nil
			}
		}
	}
	if r.pushing {
		<-r.idle
	}
	return ctx.Err()
}
