package replicaset

import (
	"time"
)

// Expectations remember what a controller has done and its cache has not shown yet.
// A key is that of a ReplicaSet: "namespace/name". All methods may be called from any
// goroutine.
//
// Code that is about to create or delete pods calls an Expect method first. A handler
// that hears of it through the cache lowers the expectation. As long as something is
// expected, the cache is known to lag, and nobody may count it.
type Expectations struct {
	mu    chan struct{} // one element: who takes it may look
	byKey map[string]*expectation
}

type expectation struct {
	adds int
	dels map[string]struct{}
	at   time.Time
}

// NewExpectations returns Expectations that expect nothing.
func NewExpectations() *Expectations {
	return &Expectations{byKey: map[string]*expectation{}, mu: make(chan struct{}, 1)}
}

// ExpectCreations expects adds creations and no deletion from now on. It replaces
// earlier expectations of key.
func (e *Expectations) ExpectCreations(key string, adds int) {
	e.mu <- struct{}{}
	defer func() { <-e.mu }()
	e.byKey[key] = &expectation{adds: adds, at: time.Now()}
}

// ExpectDeletions expects these pods to be deleted, and no creation, from now on. Pods
// are identified by any string that is unique to each, their UIDs for example. It
// replaces earlier expectations of key, and does not keep the slice.
func (e *Expectations) ExpectDeletions(key string, pods []string) {
	dels := make(map[string]struct{}, len(pods))
	for _, pod := range pods {
		dels[pod] = struct{}{}
	}
	e.mu <- struct{}{}
	defer func() { <-e.mu }()
	e.byKey[key] = &expectation{dels: dels, at: time.Now()}
}

// CreationObserved lowers the expected creations of key by one. They may fall below
// zero, because pods may appear that nobody expected. If nothing was ever expected for
// key, it does nothing.
func (e *Expectations) CreationObserved(key string) {
	e.mu <- struct{}{}
	defer func() { <-e.mu }()
	if x := e.byKey[key]; x != nil {
		x.adds--
	}
}

// DeletionObserved takes pod out of the expected deletions of key. A pod that is not
// among them, or no longer, changes nothing: each counts once.
func (e *Expectations) DeletionObserved(key, pod string) {
	e.mu <- struct{}{}
	defer func() { <-e.mu }()
	if x := e.byKey[key]; x != nil {
		delete(x.dels, pod)
	}
}

// SatisfiedExpectations reports whether the controller may count its cache: nothing was
// ever expected for key, or no creation and no deletion is outstanding, or the last
// call of ExpectCreations or ExpectDeletions for key was more than ExpectationsTimeout
// ago. It changes nothing: expired expectations can still be observed.
func (e *Expectations) SatisfiedExpectations(key string) bool {
	e.mu <- struct{}{}
	defer func() { <-e.mu }()
	x := e.byKey[key]
	return x == nil || x.adds <= 0 && len(x.dels) == 0 || time.Since(x.at) > ExpectationsTimeout
}

// DeleteExpectations forgets key, as if nothing had ever been expected.
func (e *Expectations) DeleteExpectations(key string) {
	e.mu <- struct{}{}
	defer func() { <-e.mu }()
	delete(e.byKey, key)
}

// GetExpectations returns how many creations and deletions are outstanding, and whether
// anything was ever expected for key.
func (e *Expectations) GetExpectations(key string) (adds, dels int, exists bool) {
	e.mu <- struct{}{}
	defer func() { <-e.mu }()
	x := e.byKey[key]
	if x == nil {
		return 0, 0, false
	}
	return x.adds, len(x.dels), true
}
