//go:build ignore

// Mistake: merge has a goroutine, too, and when ctx is done Run waits for the push or else for merge: if both run, merge goes on after Run.
// Killed by: cancel-waits-for-the-push
// Verdict: wrong-answer

package debounce

import (
	"context"
	"time"
)

func (d Debouncer[U]) Run(ctx context.Context, updates <-chan U, merge func(batch, update U) U, push func(ctx context.Context, batch U)) error {
	r := &run[U]{Debouncer: d, idle: make(chan struct{}, 1)}
	r.timer = time.NewTimer(0)
	defer r.timer.Stop()
	merged, merging := make(chan U, 1), false

	for ctx.Err() == nil {
		if !merging && r.due() {
			r.start(ctx, push)
		}
		if r.closed && !merging && !r.pushing {
			return nil
		}
		in, wake := updates, r.wake()
		if merging {
			in, wake = nil, nil
		}
		select {
		case <-ctx.Done():
		case <-wake:
		case <-r.idle:
			r.pushing = false
		case r.batch = <-merged:
			merging = false
		case u, ok := <-in:
			switch {
			case !ok:
				r.closed, updates = true, nil
			case !r.pending:
				r.add(u)
			default:
				r.last, merging = time.Now(), true
				go func(batch U) { merged <- merge(batch, u) }(r.batch)
			}
		}
	}
	if r.pushing {
		<-r.idle
	} else if merging {
		<-merged
	}
	return ctx.Err()
}
