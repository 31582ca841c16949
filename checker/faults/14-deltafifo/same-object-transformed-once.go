//go:build ignore

// Mistake: An object that stands twice in a list goes through the transformer once.
// Killed by: transformer-runs-once
// Verdict: wrong-answer

package deltafifo

import (
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (f *DeltaFIFO[T]) Replace(list []T, _ string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	listed := make(map[string]struct{}, len(list))
	done := make(map[any]T)
	for _, obj := range list {
		key := kit.Key(obj)
		listed[key] = struct{}{}
		if changed, ok := done[any(obj)]; ok {
			f.push(key, kit.Delta[T]{Type: kit.DeltaReplaced, Object: changed})
			continue
		}
		if err := f.observe(kit.DeltaReplaced, key, obj); err != nil {
			return fmt.Errorf("replace with %s: %w", key, err)
		}
		done[any(obj)] = f.items[key].Newest().Object
	}
	f.buryPending(listed)
	f.buryKnown(listed)
	if !f.begun {
		f.begun = true
		f.initial = len(f.queue)
	}
	return nil
}
