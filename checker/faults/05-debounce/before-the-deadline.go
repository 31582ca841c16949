//go:build ignore

// Mistake: A batch that ctx would end before it is due is pushed early, so that it is not dropped.
// Killed by: cancel-drops-what-is-pending
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
		if r.due() || r.pending && !r.pushing && endsBefore(ctx, r.deadline()) {
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
	if r.pushing {
		<-r.idle
	}
	return ctx.Err()
}

// endsBefore reports whether ctx has a deadline before t.
func endsBefore(ctx context.Context, t time.Time) bool {
	deadline, ok := ctx.Deadline()
	return ok && deadline.Before(t)
}
