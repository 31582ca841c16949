//go:build ignore

// Mistake: What was seen in a list whose transformer failed exists, so the next list does not bury it.
// Killed by: transformer-runs-once
// Verdict: wrong-answer

package deltafifo

import (
	"fmt"
	"sync"

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

	seen    map[string]struct{}
	begun   bool
	initial int
	closed  bool
}

func (f *DeltaFIFO[T]) Replace(list []T, _ string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	listed := make(map[string]struct{}, len(list))
	for _, obj := range list {
		key := kit.Key(obj)
		listed[key] = struct{}{}
		if err := f.observe(kit.DeltaReplaced, key, obj); err != nil {
			f.seen = listed
			return fmt.Errorf("replace with %s: %w", key, err)
		}
	}
	f.buryPending(listed)
	f.buryKnown(listed)
	f.seen = nil
	if !f.begun {
		f.begun = true
		f.initial = len(f.queue)
	}
	return nil
}

func (f *DeltaFIFO[T]) buryPending(listed map[string]struct{}) {
	for key, deltas := range f.items {
		_, seen := f.seen[key]
		if _, ok := listed[key]; !ok && !(seen && f.begun) {
			f.push(key, tombstone(deltas.Newest().Object))
		}
	}
}
