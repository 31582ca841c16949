//go:build ignore

// Mistake: Every deletion is queued, whether the consumer has ever heard of the object or not.
// Killed by: unknown-deletion-is-dropped
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) Delete(obj T) error {
	key := kit.Key(obj)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begun = true
	return f.observe(kit.DeltaDeleted, key, obj)
}
