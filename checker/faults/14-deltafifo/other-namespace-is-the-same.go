//go:build ignore

// Mistake: Replace notes the names of the objects of the list and forgets that another namespace may have
//   an object of the same name: the one that is missing is not missed.
// Killed by: replace-finds-the-missing
// Verdict: wrong-answer
// Without: DeltaFIFO.buryPending, DeltaFIFO.buryKnown

package deltafifo

import (
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (f *DeltaFIFO[T]) Replace(list []T, _ string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	names := make(map[string]struct{}, len(list))
	for _, obj := range list {
		names[obj.GetName()] = struct{}{}
		if err := f.observe(kit.DeltaReplaced, kit.Key(obj), obj); err != nil {
			return fmt.Errorf("replace with %s: %w", kit.Key(obj), err)
		}
	}
	for key, deltas := range f.items {
		if _, ok := names[deltas.Newest().Object.GetName()]; !ok {
			f.push(key, tombstone(deltas.Newest().Object))
		}
	}
	f.eachIdle(func(key string, obj T) {
		if _, ok := names[obj.GetName()]; !ok {
			f.push(key, tombstone(obj))
		}
	})
	if !f.begun {
		f.begun = true
		f.initial = len(f.queue)
	}
	return nil
}
