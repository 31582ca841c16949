package replicaset

import (
	"sync"
	"sync/atomic"
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
	m sync.Map // key to *expected
}

type expected struct {
	adds     atomic.Int64
	dels     map[string]*atomic.Bool // written once; true is outstanding
	deadline time.Time
}

// NewExpectations returns Expectations that expect nothing.
func NewExpectations() *Expectations { return new(Expectations) }

// ExpectCreations expects adds creations and no deletion from now on. It replaces
// earlier expectations of key.
func (e *Expectations) ExpectCreations(key string, adds int) {
	x := &expected{deadline: time.Now().Add(ExpectationsTimeout)}
	x.adds.Store(int64(adds))
	e.m.Store(key, x)
}

// ExpectDeletions expects these pods to be deleted, and no creation, from now on. Pods
// are identified by any string that is unique to each, their UIDs for example. It
// replaces earlier expectations of key, and does not keep the slice.
func (e *Expectations) ExpectDeletions(key string, pods []string) {
	x := &expected{deadline: time.Now().Add(ExpectationsTimeout), dels: map[string]*atomic.Bool{}}
	for _, p := range pods {
		b := new(atomic.Bool)
		b.Store(true)
		x.dels[p] = b
	}
	e.m.Store(key, x)
}

func (e *Expectations) get(key string) *expected {
	x, ok := e.m.Load(key)
	if !ok {
		return nil
	}
	return x.(*expected)
}

// CreationObserved lowers the expected creations of key by one. They may fall below
// zero, because pods may appear that nobody expected. If nothing was ever expected for
// key, it does nothing.
func (e *Expectations) CreationObserved(key string) {
	if x := e.get(key); x != nil {
		x.adds.Add(-1)
	}
}

// DeletionObserved takes pod out of the expected deletions of key. A pod that is not
// among them, or no longer, changes nothing: each counts once.
func (e *Expectations) DeletionObserved(key, pod string) {
	if x := e.get(key); x != nil {
		if b := x.dels[pod]; b != nil {
			b.Store(false)
		}
	}
}

// SatisfiedExpectations reports whether the controller may count its cache: nothing was
// ever expected for key, or no creation and no deletion is outstanding, or the last
// call of ExpectCreations or ExpectDeletions for key was more than ExpectationsTimeout
// ago. It changes nothing: expired expectations can still be observed.
func (e *Expectations) SatisfiedExpectations(key string) bool {
	x := e.get(key)
	if x == nil {
		return true
	}
	adds, dels := x.outstanding()
	return adds < 1 && dels < 1 || time.Now().After(x.deadline)
}

// DeleteExpectations forgets key, as if nothing had ever been expected.
func (e *Expectations) DeleteExpectations(key string) { e.m.Delete(key) }

// GetExpectations returns how many creations and deletions are outstanding, and whether
// anything was ever expected for key.
func (e *Expectations) GetExpectations(key string) (adds, dels int, exists bool) {
	x := e.get(key)
	if x == nil {
		return
	}
	adds, dels = x.outstanding()
	return adds, dels, true
}

func (x *expected) outstanding() (adds, dels int) {
	for _, b := range x.dels {
		if b.Load() {
			dels++
		}
	}
	return int(x.adds.Load()), dels
}
