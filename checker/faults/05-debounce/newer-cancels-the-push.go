//go:build ignore

// Mistake: A new update cancels the context of the running push, for what that pushes is out of date.
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
				stop() // what is being pushed is out of date
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
