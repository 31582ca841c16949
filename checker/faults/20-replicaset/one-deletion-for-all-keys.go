//go:build ignore

// Mistake: A deletion that is observed for one key is taken out of the expected deletions of every key.
// Killed by: expectations-add-up
// Verdict: wrong-answer

package replicaset

func (e *Expectations) DeletionObserved(key, pod string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.entries[key] == nil {
		return
	}
	for _, entry := range e.entries {
		delete(entry.dels, pod)
	}
}
