//go:build ignore

// Mistake: To ask about expectations that have expired deletes them, and what is observed later is lost.
// Killed by: expectations-expire
// Verdict: wrong-answer

package replicaset

import "time"

func (e *Expectations) SatisfiedExpectations(key string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	entry := e.entries[key]
	if entry != nil && time.Since(entry.since) > ExpectationsTimeout {
		delete(e.entries, key)
	}
	return e.entries[key] == nil || entry.adds <= 0 && len(entry.dels) == 0
}
