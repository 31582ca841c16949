//go:build ignore

// Mistake: Replace takes each object out of list while it queues it, and believes that nobody sees what is
//   put back before it returns.
// Killed by: replace-finds-the-missing
// Verdict: data-race

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
		var none T
		list[i] = none
		key := kit.Key(obj)
		listed[key] = struct{}{}
		err := f.observe(kit.DeltaReplaced, key, obj)
		list[i] = obj
		if err != nil {
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
