//go:build ignore

// Mistake: What is newly expected is added to what was: an expectation that has expired is never got rid of.
// Killed by: expectations-add-up
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
	if old := e.entries[key]; old != nil {
		adds += old.adds
	}
	e.entries[key] = &expectation{adds: adds, dels: dels, since: time.Now()}
}
