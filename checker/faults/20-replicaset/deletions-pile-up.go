//go:build ignore

// Mistake: ExpectDeletions keeps the deletions that were expected before.
// Killed by: expectations-add-up
// Verdict: wrong-answer

package replicaset

import "time"

func (e *Expectations) ExpectDeletions(key string, pods []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	dels := map[string]struct{}{}
	if was := e.entries[key]; was != nil {
		dels = was.dels
	}
	for _, pod := range pods {
		dels[pod] = struct{}{}
	}
	e.entries[key] = &expectation{dels: dels, since: time.Now()}
}
