//go:build ignore

// Mistake: Replace appends what is missing to list, and writes into the array behind it, whose rest is the caller's.
// Killed by: transformer-runs-once
// Verdict: wrong-answer
// Without: DeltaFIFO.buryKnown

package deltafifo

import (
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (f *DeltaFIFO[T]) Replace(list []T, _ string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	there := len(list)
	listed := make(map[string]struct{}, len(list))
	for _, obj := range list {
		key := kit.Key(obj)
		listed[key] = struct{}{}
		if err := f.observe(kit.DeltaReplaced, key, obj); err != nil {
			return fmt.Errorf("replace with %s: %w", key, err)
		}
	}
	f.buryPending(listed)
	f.eachIdle(func(key string, obj T) {
		if _, ok := listed[key]; !ok {
			list = append(list, obj)
		}
	})
	for _, obj := range list[there:] {
		f.push(kit.Key(obj), tombstone(obj))
	}
	if !f.begun {
		f.begun = true
		f.initial = len(f.queue)
	}
	return nil
}
