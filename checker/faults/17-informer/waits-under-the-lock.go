//go:build ignore

// Mistake: WaitForCacheSync holds the factory's lock while it waits, and Start waits with it.
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
	f.mu.Lock()
	defer f.mu.Unlock()
	for waiting := f.started(); ; {
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

func (f *Factory) started() []*entry {
	var started []*entry
	for _, e := range f.informers {
		if e.started {
			started = append(started, e)
		}
	}
	return started
}
