//go:build ignore

// Mistake: What is pending is pushed when the close is seen, if no push runs then; later nobody thinks of the close.
// Killed by: close-during-a-push
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
		if r.closed && !r.pushing && !r.pending {
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
				if r.pending && !r.pushing {
					r.start(ctx, push)
				}
			}
		}
	}
	if r.pushing {
		<-r.idle
	}
	return ctx.Err()
}

func (r *run[U]) due() bool {
	if !r.pending || r.pushing {
		return false
	}
	return !time.Now().Before(r.deadline())
}
