//go:build ignore

// Mistake: The resync is driven by a ticker, whose ticks do not wait until a slow store is done.
// Killed by: resyncs-each-period
// Verdict: wrong-answer

package reflector

import (
	"context"
	"fmt"
	"time"
)

func (r *Reflector[T]) resync(ctx context.Context, broken chan<- error) {
	if r.options.ResyncPeriod == 0 {
		return
	}
	timer := time.NewTicker(r.options.ResyncPeriod)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		if r.options.ShouldResync == nil || r.options.ShouldResync() {
			if err := r.store.Resync(); err != nil {
				broken <- fmt.Errorf("resync: %w", err)
				return
			}
		}
	}
}
