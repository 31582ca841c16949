//go:build ignore

// Mistake: Replace looks before it locks whether it is the first call. Of a Replace and an Add at once both may be.
// Killed by: cache-follows-the-server
// Verdict: data-race

package deltafifo

import (
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (f *DeltaFIFO[T]) Replace(list []T, _ string) error {
	first := !f.begun
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
	if first {
		f.begun = true
		f.initial = len(f.queue)
	}
	return nil
}
