//go:build ignore

// Mistake: Everything that is queued goes through the transformer, what comes out of the cache too.
// Killed by: transformer-runs-once
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) Resync() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.eachIdle(func(key string, obj T) {
		_ = f.observe(kit.DeltaSync, key, obj)
	})
	return nil
}
