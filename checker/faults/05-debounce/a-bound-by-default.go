//go:build ignore

// Mistake: Without a Max a batch waits for a hundred times Quiet at most, as if nobody could mean it.
// Killed by: zero-means-none
// Verdict: wrong-answer

package debounce

import (
	"context"
	"time"
)

func (d Debouncer[U]) Run(ctx context.Context, updates <-chan U, merge func(batch, update U) U, push func(ctx context.Context, batch U)) error {
	if d.Max <= 0 {
		d.Max = 100 * d.Quiet
	}
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
	if r.pushing {
		<-r.idle
	}
	return ctx.Err()
}
