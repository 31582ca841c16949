//go:build ignore

// Mistake: After a merge the buffer is emptied as long as the batch is not due, without a look at ctx.
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
				for len(updates) > 0 && !r.due() {
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
