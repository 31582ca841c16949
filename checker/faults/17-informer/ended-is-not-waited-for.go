//go:build ignore

// Mistake: An informer whose Run has returned is no longer among those that WaitForCacheSync waits for, though it has
//   not synced.
// Killed by: factory-waits
// Verdict: wrong-answer

package informer

import (
	"context"
	"sync/atomic"
)

type entry struct {
	informer interface {
		Run(ctx context.Context)
		HasSynced() bool
	}
	started bool
	ended   atomic.Bool
}

func (f *Factory) Start(ctx context.Context) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.shuttingDown {
		return
	}
	for _, e := range f.informers {
		if !e.started {
			e.started = true
			f.running.Go(func() {
				e.informer.Run(ctx)
				e.ended.Store(true)
			})
		}
	}
}

func (f *Factory) started() []*entry {
	f.mu.Lock()
	defer f.mu.Unlock()
	var started []*entry
	for _, e := range f.informers {
		if e.started && !e.ended.Load() {
			started = append(started, e)
		}
	}
	return started
}
