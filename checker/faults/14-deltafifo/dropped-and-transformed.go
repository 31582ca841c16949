//go:build ignore

// Mistake: The transformer is called for a deletion that is dropped, and its error is returned.
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
		if f.transform != nil {
			_, err := f.transform(obj)
			return err
		}
		return nil
	}
	return f.observe(kit.DeltaDeleted, key, obj)
}
