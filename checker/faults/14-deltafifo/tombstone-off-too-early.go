//go:build ignore

// Mistake: Delete takes the tombstone away, to make room for the deletion that was seen, and only then has the
//   object transformed. If that fails, the consumer never hears that the object is gone.
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
	if deltas := f.items[key]; len(deltas) > 1 && deltas.Newest().FinalStateUnknown {
		f.items[key] = deltas[:len(deltas)-1]
	}
	return f.observe(kit.DeltaDeleted, key, obj)
}
