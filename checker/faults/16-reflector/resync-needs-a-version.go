//go:build ignore

// Mistake: A list without a version has brought nothing that is worth a resync.
// Killed by: resyncs-each-period
// Verdict: wrong-answer

package reflector

import (
	"context"
	"fmt"
	"time"
)

func (r *Reflector[T]) resync(ctx context.Context, broken chan<- error) {
	if r.options.ResyncPeriod == 0 || r.LastSyncResourceVersion() == "" {
		return
	}
	timer := time.NewTimer(r.options.ResyncPeriod)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		if r.options.ShouldResync == nil || r.options.ShouldResync() {
			if err := r.store.Resync(); err != nil {
				broken <- fmt.Errorf("%w: %w", errResync, err)
				return
			}
		}
		timer.Reset(r.options.ResyncPeriod)
	}
}
