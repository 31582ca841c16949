//go:build ignore

// Mistake: The five minutes begin again with each observation.
// Killed by: expectations-expire
// Verdict: wrong-answer

package replicaset

import "time"

func (e *Expectations) CreationObserved(key string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if entry := e.entries[key]; entry != nil {
		entry.adds--
		entry.since = time.Now()
	}
}
