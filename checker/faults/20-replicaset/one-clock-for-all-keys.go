//go:build ignore

// Mistake: The five minutes begin with the last Expect call, for whatever key.
// Killed by: expectations-expire
// Verdict: wrong-answer

package replicaset

import (
	"sync"
	"time"
)

type Expectations struct {
	mu      sync.Mutex // guards entries and everything they point to
	entries map[string]*expectation
	last    time.Time
}

func (e *Expectations) set(key string, adds int, pods []string) {
	dels := make(map[string]struct{}, len(pods))
	for _, pod := range pods {
		dels[pod] = struct{}{}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.last = time.Now()
	e.entries[key] = &expectation{adds: adds, dels: dels, since: time.Now()}
}

func (e *Expectations) SatisfiedExpectations(key string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	entry := e.entries[key]
	return entry == nil ||
		entry.adds <= 0 && len(entry.dels) == 0 ||
		time.Since(e.last) > ExpectationsTimeout
}
