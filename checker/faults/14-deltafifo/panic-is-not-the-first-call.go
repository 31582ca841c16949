//go:build ignore

// Mistake: That something was called is noted when the transformer has returned; after its panic nobody has called yet.
// Killed by: transformer-runs-once
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) Add(obj T) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.observe(kit.DeltaAdded, kit.Key(obj), obj)
	f.begun = true
	return err
}
