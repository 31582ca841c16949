//go:build ignore

// Mistake: The goroutine of a push reports its end and then rests for a while: Run returns meanwhile.
// Killed by: close-flushes
// Verdict: wrong-answer

package debounce

import (
	"context"
	"time"
)

func (r *run[U]) start(ctx context.Context, push func(ctx context.Context, batch U)) {
	batch := r.batch
	var none U
	r.batch, r.pending, r.pushing = none, false, true
	go func() {
		push(ctx, batch)
		r.idle <- struct{}{}
		time.Sleep(5 * time.Second)
	}()
}
