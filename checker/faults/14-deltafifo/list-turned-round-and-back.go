//go:build ignore

// Mistake: Replace turns the slice of the caller round to go through it from its end, and forgets to turn it back if it fails.
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
	slices.Reverse(list)
	for _, obj := range slices.Backward(list) {
		key := kit.Key(obj)
		listed[key] = struct{}{}
		if err := f.observe(kit.DeltaReplaced, key, obj); err != nil {
			return fmt.Errorf("replace with %s: %w", key, err)
		}
	}
	slices.Reverse(list)
	f.buryPending(listed)
	f.buryKnown(listed)
	if !f.begun {
		f.begun = true
		f.initial = len(f.queue)
	}
	return nil
}
