//go:build ignore

// Mistake: The moment of the last Expect call is kept in whole seconds, so that the five minutes are up too early.
// Killed by: expectations-expire
// Verdict: wrong-answer

package replicaset

import "time"

func (e *Expectations) set(key string, adds int, pods []string) {
	dels := make(map[string]struct{}, len(pods))
	for _, pod := range pods {
		dels[pod] = struct{}{}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.entries[key] = &expectation{adds: adds, dels: dels, since: time.Now().Truncate(time.Second)}
}
