//go:build ignore

// Mistake: Each look goes to one informer, and the next one has to wait for the next look. If ctx is done
//   there is none.
// Killed by: factory-waits
// Verdict: wrong-answer

package informer

import (
	"context"
	"time"
)

func (f *Factory) WaitForCacheSync(ctx context.Context) bool {
	ticker := time.NewTicker(syncPoll)
	defer ticker.Stop()
	for waiting := f.started(); ; {
		if len(waiting) > 0 && waiting[0].informer.HasSynced() {
			waiting = waiting[1:]
		}
		if len(waiting) == 0 {
			return true
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return false
		}
	}
}
