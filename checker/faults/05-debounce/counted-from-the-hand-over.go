//go:build ignore

// Mistake: A goroutine receives and hands each update to the loop, which looks at the clock only then: while merge runs, the update
//   in that goroutine's hand does not wait yet.
// Killed by: burst-is-one-push
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
	reading, stop := context.WithCancel(ctx)
	handed, gone := make(chan U), make(chan struct{})
	go func() {
		defer close(gone)
		read(reading, updates, handed)
	}()
	defer func() { stop(); <-gone }()

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
		case u, ok := <-handed:
			if ok {
				r.add(u)
			} else {
				r.closed, handed = true, nil
			}
		}
	}
	if r.pushing {
		<-r.idle
	}
	return ctx.Err()
}

// read hands updates on until they are closed or ctx is done.
func read[U any](ctx context.Context, updates <-chan U, handed chan<- U) {
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case u, ok := <-updates:
			if !ok {
				close(handed)
				return
			}
			select {
			case handed <- u:
			case <-ctx.Done():
			}
		}
	}
}
