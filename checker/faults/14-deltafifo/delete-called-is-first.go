//go:build ignore

// Mistake: Delete says that it is the first call before it has the lock, because it may queue nothing.
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
	deleted atomic.Bool
	initial int
	closed  bool
}

func (f *DeltaFIFO[T]) Delete(obj T) error {
	key := kit.Key(obj)
	f.deleted.Store(true)
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.pending(key) && !f.knows(key) {
		return nil
	}
	return f.observe(kit.DeltaDeleted, key, obj)
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
	if !f.begun && !f.deleted.Load() {
		f.begun = true
		f.initial = len(f.queue)
	}
	return nil
}

func (f *DeltaFIFO[T]) hasSynced() bool { return (f.begun || f.deleted.Load()) && f.initial == 0 }
