//go:build ignore

// Mistake: The slice that ExpectDeletions was called with is what is searched later. It is the caller's, who may use it again.
// Killed by: expectations-add-up
// Verdict: wrong-answer

package replicaset

import (
	"slices"
	"time"
)

type expectation struct {
	adds  int
	dels  []string
	seen  map[string]bool
	since time.Time
}

func (e *Expectations) set(key string, adds int, pods []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.entries[key] = &expectation{adds: adds, dels: pods, seen: map[string]bool{}, since: time.Now()}
}

func (x *expectation) outstanding() int {
	return len(x.dels) - len(x.seen)
}

func (e *Expectations) DeletionObserved(key, pod string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if entry := e.entries[key]; entry != nil && slices.Contains(entry.dels, pod) {
		entry.seen[pod] = true
	}
}

func (e *Expectations) SatisfiedExpectations(key string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	entry := e.entries[key]
	return entry == nil ||
		entry.adds <= 0 && entry.outstanding() == 0 ||
		time.Since(entry.since) > ExpectationsTimeout
}

func (e *Expectations) GetExpectations(key string) (adds, dels int, exists bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	entry := e.entries[key]
	if entry == nil {
		return 0, 0, false
	}
	return entry.adds, entry.outstanding(), true
}
