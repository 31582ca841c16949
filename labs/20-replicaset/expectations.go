package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

// Expectations remember what a controller has done and its cache has not shown yet.
// A key is that of a ReplicaSet: "namespace/name". All methods may be called from any
// goroutine.
//
// Whoever is about to create or delete says so first. Whoever hears of it through the
// cache lowers the expectation. As long as something is expected the cache is known to
// lag, and must not be counted.
type Expectations struct {
	// yours
}

// NewExpectations returns Expectations that expect nothing.
func NewExpectations() *Expectations {
	panic(kit.TODO("NewExpectations"))
}

// ExpectCreations expects so many creations and no deletion from now on. What was
// expected for key before is forgotten.
func (e *Expectations) ExpectCreations(key string, adds int) {
	panic(kit.TODO("Expectations.ExpectCreations"))
}

// ExpectDeletions expects these pods to be deleted, and no creation, from now on. Pods
// are known by whatever is unique to each: their UIDs, say. What was expected for key
// before is forgotten. The slice is not kept.
func (e *Expectations) ExpectDeletions(key string, pods []string) {
	panic(kit.TODO("Expectations.ExpectDeletions"))
}

// CreationObserved lowers the expected creations of key by one. They may fall below
// zero, for pods may appear that nobody expected. Where nothing was ever expected it
// does nothing.
func (e *Expectations) CreationObserved(key string) {
	panic(kit.TODO("Expectations.CreationObserved"))
}

// DeletionObserved takes pod out of the expected deletions of key. A pod that is not
// among them, or not any more, changes nothing: each counts once.
func (e *Expectations) DeletionObserved(key, pod string) {
	panic(kit.TODO("Expectations.DeletionObserved"))
}

// SatisfiedExpectations reports whether the controller may count its cache: nothing was
// ever expected for key, or no creation and no deletion is outstanding, or it was
// more than ExpectationsTimeout ago that ExpectCreations or ExpectDeletions was called.
// It changes nothing: what has expired can still be observed.
func (e *Expectations) SatisfiedExpectations(key string) bool {
	panic(kit.TODO("Expectations.SatisfiedExpectations"))
}

// DeleteExpectations forgets key, as if nothing had ever been expected.
func (e *Expectations) DeleteExpectations(key string) {
	panic(kit.TODO("Expectations.DeleteExpectations"))
}

// GetExpectations says how many creations and deletions are outstanding, and whether
// anything was ever expected for key.
func (e *Expectations) GetExpectations(key string) (adds, dels int, exists bool) {
	panic(kit.TODO("Expectations.GetExpectations"))
}
