//go:build ignore

// Mistake: Replace gives the lock back after each object of a long list, so that nobody has to wait for it.
// Killed by: cache-follows-the-server
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
	for i, obj := range list {
		if i > 0 {
			f.mu.Unlock()
			f.mu.Lock()
		}
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
