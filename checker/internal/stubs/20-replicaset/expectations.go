package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

// Expectations remember what a controller has done and its cache has not shown yet.
// A key is that of a ReplicaSet: "namespace/name". All methods may be called from any
// goroutine.
//
// Code that is about to create or delete pods calls an Expect method first. A handler
// that hears of it through the cache lowers the expectation. As long as something is
// expected, the cache is known to lag, and nobody may count it.
type Expectations struct {
	// yours
}

// NewExpectations returns Expectations that expect nothing.
func NewExpectations() *Expectations {
	panic(kit.TODO("NewExpectations"))
}

// ExpectCreations expects adds creations and no deletion from now on. It replaces
// earlier expectations of key.
func (e *Expectations) ExpectCreations(key string, adds int) {
	panic(kit.TODO("Expectations.ExpectCreations"))
}

// ExpectDeletions expects these pods to be deleted, and no creation, from now on. Pods
// are identified by any string that no other pod has at the same time: their UIDs, or their
// namespaces and names, as upstream. A string that comes twice is one pod. ExpectDeletions
// replaces earlier expectations of key, and does not keep the slice.
func (e *Expectations) ExpectDeletions(key string, pods []string) {
	panic(kit.TODO("Expectations.ExpectDeletions"))
}

// CreationObserved lowers the expected creations of key by one. They may fall below
// zero, because pods may appear that nobody expected. If nothing was ever expected for
// key, it does nothing.
func (e *Expectations) CreationObserved(key string) {
	panic(kit.TODO("Expectations.CreationObserved"))
}

// DeletionObserved takes pod out of the expected deletions of key. A pod that is not
// among them, or no longer, changes nothing: each counts once. If nothing was ever
// expected for key, it does nothing.
func (e *Expectations) DeletionObserved(key, pod string) {
	panic(kit.TODO("Expectations.DeletionObserved"))
}

// SatisfiedExpectations reports whether the controller may count its cache: nothing was
// ever expected for key, or no creation and no deletion is outstanding, or the last
// call of ExpectCreations or ExpectDeletions for key was more than ExpectationsTimeout
// ago. It changes nothing: expired expectations can still be observed.
func (e *Expectations) SatisfiedExpectations(key string) bool {
	panic(kit.TODO("Expectations.SatisfiedExpectations"))
}

// DeleteExpectations forgets key, as if nothing had ever been expected.
func (e *Expectations) DeleteExpectations(key string) {
	panic(kit.TODO("Expectations.DeleteExpectations"))
}

// GetExpectations returns how many creations and deletions are outstanding (fewer than
// none, if they have fallen below zero), and whether anything was ever expected for key: an
// Expect method was called, even with 0 or no pods, and key was not forgotten since.
func (e *Expectations) GetExpectations(key string) (adds, dels int, exists bool) {
	panic(kit.TODO("Expectations.GetExpectations"))
}
