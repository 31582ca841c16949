//go:build ignore

// Mistake: Replace looks at what is pending first, and puts these objects to the front of the caller's list.
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
	front := 0
	for i, obj := range list {
		if f.pending(kit.Key(obj)) {
			list[front], list[i] = obj, list[front]
			front++
		}
	}
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
		f.initial = len(f.queue)
	}
	return nil
}
