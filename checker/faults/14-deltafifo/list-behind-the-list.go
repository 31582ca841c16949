//go:build ignore

// Mistake: Replace collects what the transformer has returned by appending it to list, which may write to the
//   array behind it.
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
	fresh := make([]T, 0, len(list))
	for _, obj := range list {
		if f.transform != nil {
			var err error
			if obj, err = f.transform(obj); err != nil {
				return fmt.Errorf("replace: %w", err)
			}
		}
		fresh = append(fresh, obj)
	}
	listed := make(map[string]struct{}, len(list))
	for _, obj := range append(list, fresh...)[len(list):] {
		key := kit.Key(obj)
		listed[key] = struct{}{}
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
