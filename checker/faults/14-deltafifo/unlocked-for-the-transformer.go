//go:build ignore

// Mistake: The transformer may be slow, so Replace gives the lock back for each call of it. A Pop gets in
//   between, and sees half of the list.
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
	for _, obj := range list {
		key := kit.Key(obj)
		listed[key] = struct{}{}
		if f.transform != nil {
			f.mu.Unlock()
			var err error
			obj, err = f.transform(obj)
			f.mu.Lock()
			if err != nil {
				return fmt.Errorf("replace with %s: %w", key, err)
			}
		}
		f.push(key, kit.Delta[T]{Type: kit.DeltaReplaced, Object: obj})
	}
	f.buryPending(listed)
	f.buryKnown(listed)
	if !f.begun {
		f.begun = true
		f.initial = len(f.queue)
	}
	return nil
}
