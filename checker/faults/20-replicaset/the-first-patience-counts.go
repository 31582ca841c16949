//go:build ignore

// Mistake: While something is outstanding, the five minutes of the first Expect call go on for the next one.
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
	since := time.Now()
	if was := e.entries[key]; was != nil && (was.adds > 0 || len(was.dels) > 0) {
		since = was.since
	}
	e.entries[key] = &expectation{adds: adds, dels: dels, since: since}
}
