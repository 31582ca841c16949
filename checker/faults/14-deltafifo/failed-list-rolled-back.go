//go:build ignore

// Mistake: A list whose transformer fails is rolled back by key, and what was pending for those keys before goes,
//   too.
// Killed by: transformer-runs-once
// Verdict: wrong-answer

package deltafifo

import (
	"fmt"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (f *DeltaFIFO[T]) Replace(list []T, _ string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	listed := make(map[string]struct{}, len(list))
	for _, obj := range list {
		key := kit.Key(obj)
		listed[key] = struct{}{}
		if err := f.observe(kit.DeltaReplaced, key, obj); err != nil {
			f.queue = slices.DeleteFunc(f.queue, func(key string) bool {
				_, ok := listed[key]
				return ok
			})
			for key := range listed {
				delete(f.items, key)
			}
			return fmt.Errorf("replace with %s: %w", key, err)
		}
	}
	f.buryPending(listed)
	f.buryKnown(listed)
	if !f.begun {
		f.begun = true
		f.initial = len(f.queue)
	}
	return nil
}
