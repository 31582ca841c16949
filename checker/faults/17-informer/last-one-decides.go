//go:build ignore

// Mistake: WaitForCacheSync asks all informers, and keeps the answer of the last.
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
		synced := len(waiting) == 0
		for _, e := range waiting {
			synced = e.informer.HasSynced()
		}
		if synced {
			return true
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return false
		}
	}
}
