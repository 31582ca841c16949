//go:build ignore

// Mistake: Expectations are taken for satisfied when creations or deletions are.
// Killed by: expectations-add-up
// Verdict: wrong-answer

package replicaset

import "time"

func (e *Expectations) SatisfiedExpectations(key string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	entry := e.entries[key]
	return entry == nil ||
		entry.adds <= 0 || len(entry.dels) == 0 ||
		time.Since(entry.since) > ExpectationsTimeout
}
