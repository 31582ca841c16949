//go:build ignore

// Mistake: A relist brings no news of an object that is known in the version of the list, so nothing is queued.
// Killed by: replace-finds-the-missing
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
	for _, obj := range list {
		key := kit.Key(obj)
		listed[key] = struct{}{}
		if f.begun && f.known != nil && !f.pending(key) {
			if old, ok := f.known.GetByKey(key); ok && old.GetResourceVersion() == obj.GetResourceVersion() {
				continue
			}
		}
		if err := f.observe(kit.DeltaReplaced, key, obj); err != nil {
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
