//go:build ignore

// Mistake: A creation that is observed for one key lowers the expected creations of every key.
// Killed by: expectations-add-up
// Verdict: wrong-answer

package replicaset

func (e *Expectations) CreationObserved(key string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.entries[key] == nil {
		return
	}
	for _, entry := range e.entries {
		entry.adds--
	}
}
