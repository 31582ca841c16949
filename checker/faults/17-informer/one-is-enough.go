//go:build ignore

// Mistake: WaitForCacheSync returns when the first informer has synced.
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
		for _, e := range waiting {
			if e.informer.HasSynced() {
				return true
			}
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
