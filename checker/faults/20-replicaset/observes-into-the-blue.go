//go:build ignore

// Mistake: A creation that nobody expects makes an entry, for every ReplicaSet that there ever was.
// Killed by: expectations-add-up
// Verdict: wrong-answer

package replicaset

func (e *Expectations) CreationObserved(key string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.entries[key] == nil {
		e.entries[key] = &expectation{}
	}
	if entry := e.entries[key]; entry != nil {
		entry.adds--
	}
}
