//go:build ignore

// Mistake: Without known objects nothing can be gone that is not pending, so Delete need not even count.
// Killed by: synced-by-anything-else
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) Delete(obj T) error {
	key := kit.Key(obj)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.known == nil && !f.pending(key) {
		return nil
	}
	f.begun = true
	if !f.pending(key) && !f.knows(key) {
		return nil
	}
	return f.observe(kit.DeltaDeleted, key, obj)
}
