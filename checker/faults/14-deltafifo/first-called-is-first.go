//go:build ignore

// Mistake: Add says that it is the first call before it has the lock, so a Replace that gets it before is not the first one.
// Killed by: process-runs-under-the-lock
// Verdict: wrong-answer

package deltafifo

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type DeltaFIFO[T kit.Object] struct {
	known     kit.KnownObjects[T]
	transform func(obj T) (T, error)

	mu      sync.Mutex
	arrived sync.Cond

	items map[string]kit.Deltas[T]
	queue []string
	most  int

	begun   bool
	called  atomic.Bool
	initial int
	closed  bool
}

func (f *DeltaFIFO[T]) Add(obj T) error {
	f.called.Store(true)
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.observe(kit.DeltaAdded, kit.Key(obj), obj)
}

func (f *DeltaFIFO[T]) Replace(list []T, _ string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	listed := make(map[string]struct{}, len(list))
	for _, obj := range list {
		key := kit.Key(obj)
		listed[key] = struct{}{}
		if err := f.observe(kit.DeltaReplaced, key, obj); err != nil {
			return fmt.Errorf("replace with %s: %w", key, err)
		}
	}
	f.buryPending(listed)
	f.buryKnown(listed)
	if !f.begun && !f.called.Load() {
		f.begun = true
		f.initial = len(f.queue)
	}
	return nil
}

func (f *DeltaFIFO[T]) hasSynced() bool { return (f.begun || f.called.Load()) && f.initial == 0 }
