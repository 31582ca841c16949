//go:build ignore

// Mistake: Lowering a number is taken for atomic.
// Killed by: expectations-from-any-goroutine
// Verdict: data-race

package replicaset

func (e *Expectations) CreationObserved(key string) {
	if entry := e.entries[key]; entry != nil {
		entry.adds--
	}
}
