//go:build ignore

// Mistake: A first Add counts as a call only if its transformer succeeds, so HasSynced waits for a list that
//   need not come.
// Killed by: transformer-runs-once
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) Add(obj T) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.observe(kit.DeltaAdded, kit.Key(obj), obj)
	f.begun = f.begun || err == nil
	return err
}
