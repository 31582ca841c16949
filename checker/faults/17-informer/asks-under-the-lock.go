//go:build ignore

// Mistake: WaitForCacheSync asks the informers under the lock of the factory, and an informer may answer late.
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
		f.mu.Lock()
		for len(waiting) > 0 && waiting[0].informer.HasSynced() {
			waiting = waiting[1:]
		}
		f.mu.Unlock()
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
