//go:build ignore

// Mistake: When a batch is due, all updates that are ready are merged into it first; where another one is always ready,
//   there is no push.
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
		if r.due() {
			for ready := !r.closed; ready; {
				select {
				case u, ok := <-updates:
					if ok {
						r.add(u)
					} else {
						r.closed, updates, ready = true, nil, false
					}
				default:
					ready = false
				}
			}
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
