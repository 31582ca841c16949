//go:build ignore

// Mistake: Expectations do not expire: one event that is lost stops the ReplicaSet for ever.
// Killed by: expectations-expire
// Verdict: wrong-answer

package replicaset

func (e *Expectations) SatisfiedExpectations(key string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	entry := e.entries[key]
	return entry == nil ||
		entry.adds <= 0 && len(entry.dels) == 0
}
