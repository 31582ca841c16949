//go:build ignore

// Mistake: Only process is thought to panic: where the transformer does, nobody gets the lock again.
// Killed by: transformer-runs-once
// Verdict: deadlock

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) Update(obj T) error {
	f.mu.Lock()
	f.begun = true
	err := f.observe(kit.DeltaUpdated, kit.Key(obj), obj)
	f.mu.Unlock()
	return err
}
