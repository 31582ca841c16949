//go:build ignore

// Mistake: Nobody who asks with a ctx that is done waits for an answer, so it is looked at first.
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
		if ctx.Err() != nil {
			return false
		}
		for len(waiting) > 0 && waiting[0].informer.HasSynced() {
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
