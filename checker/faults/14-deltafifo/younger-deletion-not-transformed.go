//go:build ignore

// Mistake: Behind a deletion that was seen Delete returns at once, since the older one is kept, and reports no
//   error of the transformer.
// Killed by: transformer-runs-once
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) Delete(obj T) error {
	key := kit.Key(obj)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begun = true
	if !f.pending(key) && !f.knows(key) {
		return nil
	}
	if f.pending(key) {
		last := f.items[key].Newest()
		if last.Type == kit.DeltaDeleted && !last.FinalStateUnknown {
			return nil
		}
	}
	return f.observe(kit.DeltaDeleted, key, obj)
}
