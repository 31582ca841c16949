//go:build ignore

// Mistake: One push at a time is taken to mean one in the whole process.
// Killed by: one-push-at-a-time
// Verdict: deadlock

package debounce

import (
	"context"
	"sync"
)

var onePush sync.Mutex

func (r *run[U]) start(ctx context.Context, push func(ctx context.Context, batch U)) {
	batch := r.batch
	var none U
	r.batch, r.pending, r.pushing = none, false, true
	go func() {
		onePush.Lock()
		push(ctx, batch)
		onePush.Unlock()
		r.idle <- struct{}{}
	}()
}
