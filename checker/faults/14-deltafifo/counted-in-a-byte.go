//go:build ignore

// Mistake: The keys of the first list are counted in eight bits, because a count of what is left looks small.
// Killed by: synced-by-the-first-list
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

	begun   bool
	initial uint8
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
			return fmt.Errorf("replace with %s: %w", key, err)
		}
	}
	f.buryPending(listed)
	f.buryKnown(listed)
	if !f.begun {
		f.begun = true
		f.initial = uint8(len(f.queue))
	}
	return nil
}
