package replicaset

import (
	"sync"
	"time"
)

// Expectations remember what a controller has done and its cache has not shown yet.
// The stub's documentation is the contract.
//
// One lock guards all of it. Upstream has a store with a lock, counters that are atomic,
// and a second store with a second lock for the UIDs; between any two of these somebody
// may come in. A critical section here is a few instructions long, and the requests that
// it is about take milliseconds each.
type Expectations struct {
	mu      sync.Mutex // guards entries and everything they point to
	entries map[string]*expectation
}

type expectation struct {
	adds  int                 // creations outstanding; below zero if more were seen than expected
	dels  map[string]struct{} // pods whose deletion is outstanding
	since time.Time
}

// NewExpectations returns Expectations that expect nothing.
func NewExpectations() *Expectations {
	return &Expectations{entries: map[string]*expectation{}}
}

// ExpectCreations expects so many creations and nothing else.
func (e *Expectations) ExpectCreations(key string, adds int) { e.set(key, adds, nil) }

// ExpectDeletions expects these pods to be deleted and nothing else.
//
// A number would not do. A graceful deletion is heard of twice, once when its timestamp
// is set and once when the pod is gone; and pods are deleted by others, too. Only the
// set can tell these from the ones that are waited for.
func (e *Expectations) ExpectDeletions(key string, pods []string) { e.set(key, 0, pods) }

func (e *Expectations) set(key string, adds int, pods []string) {
	dels := make(map[string]struct{}, len(pods))
	for _, pod := range pods {
		dels[pod] = struct{}{}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.entries[key] = &expectation{adds: adds, dels: dels, since: time.Now()}
}

// CreationObserved lowers the expected creations of key by one.
func (e *Expectations) CreationObserved(key string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if entry := e.entries[key]; entry != nil {
		entry.adds--
	}
}

// DeletionObserved takes pod out of the expected deletions of key.
func (e *Expectations) DeletionObserved(key, pod string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if entry := e.entries[key]; entry != nil {
		delete(entry.dels, pod)
	}
}

// SatisfiedExpectations reports whether the controller may count its cache.
//
// The timeout is a compromise. Without it one lost notification would stop a ReplicaSet
// for ever; with it a cache that lags longer is counted all the same. See stale.go for
// the part that does not give up.
func (e *Expectations) SatisfiedExpectations(key string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	entry := e.entries[key]
	return entry == nil ||
		entry.adds <= 0 && len(entry.dels) == 0 ||
		time.Since(entry.since) > ExpectationsTimeout
}

// DeleteExpectations forgets key.
func (e *Expectations) DeleteExpectations(key string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.entries, key)
}

// GetExpectations says how much is outstanding for key.
func (e *Expectations) GetExpectations(key string) (adds, dels int, exists bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	entry := e.entries[key]
	if entry == nil {
		return 0, 0, false
	}
	return entry.adds, len(entry.dels), true
}
