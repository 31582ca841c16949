//go:build ignore

// Mistake: Delete asks the known objects only, and drops the deletion of an object whose addition is still
//   pending.
// Killed by: unknown-deletion-is-dropped
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) Delete(obj T) error {
	key := kit.Key(obj)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begun = true
	if f.known != nil && !f.knows(key) {
		return nil
	}
	return f.observe(kit.DeltaDeleted, key, obj)
}
