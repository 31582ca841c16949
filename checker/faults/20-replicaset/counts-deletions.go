//go:build ignore

// Mistake: kubernetes#22143: deletions are a number like creations. The two events of one graceful deletion
//   count twice.
// Killed by: deletion-counts-once
// Verdict: wrong-answer

package replicaset

func (e *Expectations) DeletionObserved(key, pod string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if entry := e.entries[key]; entry != nil {
		for other := range entry.dels {
			delete(entry.dels, other)
			break
		}
	}
}
