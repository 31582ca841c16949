//go:build ignore

// Mistake: A batch that has waited for Max during a push cancels the context of that push, so as to begin its own in time.
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

	stop := func() {}
	defer func() { stop() }()
	for ctx.Err() == nil {
		if r.due() {
			stop()
			var child context.Context
			child, stop = context.WithCancel(ctx)
			r.start(child, push)
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
				if r.Max > 0 && r.last.Sub(r.first) >= r.Max {
					stop()
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
