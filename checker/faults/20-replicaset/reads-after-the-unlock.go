//go:build ignore

// Mistake: GetExpectations lets the lock go before it reads what the entry says.
// Killed by: expectations-from-any-goroutine
// Verdict: data-race

package replicaset

func (e *Expectations) GetExpectations(key string) (adds, dels int, exists bool) {
	e.mu.Lock()
	entry := e.entries[key]
	e.mu.Unlock()
	if entry == nil {
		return 0, 0, false
	}
	return entry.adds, len(entry.dels), true
}
