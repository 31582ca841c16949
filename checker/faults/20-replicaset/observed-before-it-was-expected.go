//go:build ignore

// Mistake: A deletion that was observed before it is expected counts, too.
// Killed by: expectations-add-up
// Verdict: wrong-answer

package replicaset

import "time"

type expectation struct {
	adds  int                 // creations outstanding; below zero if more were seen than expected
	dels  map[string]struct{} // pods whose deletion is outstanding
	since time.Time
	seen  map[string]struct{} // pods that were observed, expected or not
}

func (e *Expectations) set(key string, adds int, pods []string) {
	dels := make(map[string]struct{}, len(pods))
	for _, pod := range pods {
		dels[pod] = struct{}{}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	seen := map[string]struct{}{}
	if before := e.entries[key]; before != nil {
		seen = before.seen
	}
	for pod := range seen {
		delete(dels, pod)
	}
	e.entries[key] = &expectation{adds: adds, dels: dels, since: time.Now(), seen: seen}
}

func (e *Expectations) DeletionObserved(key, pod string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if entry := e.entries[key]; entry != nil {
		delete(entry.dels, pod)
		entry.seen[pod] = struct{}{}
	}
}
