//go:build ignore

// Mistake: Every object is taken to have a namespace; one without it gets another key than the cache has
//   for it.
// Killed by: unknown-deletion-is-dropped
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) Delete(obj T) error {
	key := obj.GetNamespace() + "/" + obj.GetName()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begun = true
	if !f.pending(key) && !f.knows(key) {
		return nil
	}
	return f.observe(kit.DeltaDeleted, key, obj)
}
