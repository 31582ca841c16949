//go:build ignore

// Mistake: The first Replace counts even if its transformer fails, and then nothing is left of it to be popped:
//   HasSynced is true, and a controller starts without the list.
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
	first := !f.begun
	f.begun = true
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
	if first {
		f.initial = len(f.queue)
	}
	return nil
}
