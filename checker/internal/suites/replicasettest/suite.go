// Package replicasettest is the conformance suite of lab 20.
//
// The subject stands between two neighbours that the suite plays. An API server of pods
// and ReplicaSets refuses, is slow, denies by quota or deletes gracefully when the case
// says so. And two caches take in the server's events when the case says so, and not
// earlier: the script decides how stale a cache is. Time is virtual, except where
// goroutines meet: there it plays no part.
//
// Left open, because upstream and the plain way differ or a learner may choose: whether
// the batches go on in a namespace that is being deleted; what counts as related for a
// ReplicaSet without a controller; whether a conflict of an adoption is tried again at
// once; the order of pods that the rules put in a circle (rules 6 and 8 fall back on the
// UID before rule 7 is asked); how often a key is enqueued; the texts of events and
// errors; what a handler forgets that hears of a deletion only after the next
// ReplicaSet of the name was reconciled, and whether the next one waits for what the old
// one's Reconcile expected after the handler's call, as it does upstream; whether a Reconcile
// takes another UID in the cache for the end of the old ReplicaSet, before a handler says so;
// what a version with leading zeros is; whether a release is remembered as an own write; whether
// a Conflict of a claim after which the pod is NotFound is an error; whether the Update of the
// status says what the object is (TypeMeta); by which unique string a pod is expected: upstream
// takes namespace and name; whether pods are released when an adoption was not allowed; what
// happens to a status whose ReplicaSet turns out to be another one after a conflict; what a
// negative number in the spec means; whether Reconciles of two ReplicaSets wait for each other.
//
// Bugs that were once real upstream and are faults here: kubernetes#8138, #69376, #22143,
// #8000, #129795, #49145 and #42639. None was left out.
//
// What it can miss: a goroutine that remembers or forgets a moment after the call that started it, and
// ends at once; a Reconcile that is slow or goes through all pods of the cluster; a
// race between Reconciles of different ReplicaSets that 16 copies do not meet; what
// is remembered of ReplicaSets that are gone; a handler that waits for a lock which
// Reconcile holds only at other moments than a call on what Options has; versions of more
// than 63 bits; an index under a name that is somebody else's.
package replicasettest

import (
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Reconciler is the subject's ReplicaSetReconciler.
type Reconciler interface {
	kit.Reconciler
	ReplicaSetHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.ReplicaSet]
	PodHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Pod]
}

// Expectations are the subject's.
type Expectations interface {
	ExpectCreations(key string, adds int)
	ExpectDeletions(key string, pods []string)
	CreationObserved(key string)
	DeletionObserved(key, pod string)
	SatisfiedExpectations(key string) bool
	DeleteExpectations(key string)
	GetExpectations(key string) (adds, dels int, exists bool)
}

// Options are the subject's, field by field.
type Options struct {
	ReplicaSets            kit.Client[*kit.ReplicaSet]
	Pods                   kit.Client[*kit.Pod]
	ReplicaSetCache        kit.Indexer[*kit.ReplicaSet]
	PodCache               kit.Indexer[*kit.Pod]
	Burst                  int
	Recorder               kit.EventRecorder
	ReplicaSetCacheVersion func() string
	PodCacheVersion        func() string
}

// Subject is lab 20 as the suite sees it.
type Subject struct {
	New             func(o Options) Reconciler
	NewExpectations func() Expectations
	SlowStartBatch  func(count, initialBatchSize int, f func() error) (int, error)
	PodsToDelete    func(pods, related []*kit.Pod, count int) []*kit.Pod
	ErrStaleCache   error
}

// Lab describes lab 20 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:     "20-replicaset",
		Title:   "The ReplicaSet controller",
		Builds:  "as many pods as asked for, and never one too many, over a cache that lags",
		Files:   []string{"options.go", "expectations.go", "batch.go", "ranking.go", "reconciler.go", "claim.go", "status.go", "handlers.go", "stale.go"},
		Imports: []string{"time"},
		Cases:   conform.Describe(Cases()),
	}
}

// Cases are the claims.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }
