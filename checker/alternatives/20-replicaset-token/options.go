// Package replicaset is lab 20 with expectations behind a token in a channel of one, and with an
// errgroup for each batch.
package replicaset

import (
	"errors"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file is given whole: the words in which the other files speak.

const (
	// BurstReplicas is how many pods one Reconcile creates or deletes at most,
	// where Options says nothing.
	BurstReplicas = 500
	// ExpectationsTimeout is how long expectations are waited for.
	ExpectationsTimeout = 5 * time.Minute
	// SlowStartInitialBatchSize is how many pods are created before anything is
	// known of how the API server takes them.
	SlowStartInitialBatchSize = 1
)

// The reasons of the events that the controller writes about a ReplicaSet.
const (
	SuccessfulCreate = "SuccessfulCreate"
	FailedCreate     = "FailedCreate"
	SuccessfulDelete = "SuccessfulDelete"
	FailedDelete     = "FailedDelete"
)

// ErrStaleCache is what Reconcile returns while it knows its caches to be older than
// its own writes.
var ErrStaleCache = errors.New("the cache has not seen this controller's own writes yet")

// NamespaceTerminating is the reason of an API server that creates nothing in a
// namespace because the namespace is being deleted. Upstream the reason is Forbidden,
// with a cause of this name (corev1.NamespaceTerminatingCause).
const NamespaceTerminating kit.Reason = "NamespaceTerminating"

// IsNamespaceTerminating reports whether err says that the namespace is being deleted.
func IsNamespaceTerminating(err error) bool { return kit.ReasonFor(err) == NamespaceTerminating }

// Options are the neighbours and settings of a ReplicaSetReconciler.
type Options struct {
	// ReplicaSets and Pods write to the API server, and read from it where the
	// caches are not good enough.
	ReplicaSets kit.Client[*kit.ReplicaSet]
	Pods        kit.Client[*kit.Pod]

	// ReplicaSetCache and PodCache follow the API server and lag behind it. Somebody
	// else fills them. What they return is shared and must not be changed.
	ReplicaSetCache kit.Indexer[*kit.ReplicaSet]
	PodCache        kit.Indexer[*kit.Pod]

	// Burst is how many pods one Reconcile creates or deletes at most. Zero or less
	// is BurstReplicas.
	Burst int

	// Recorder takes the events. Nil is kit.DiscardEvents.
	Recorder kit.EventRecorder

	// ReplicaSetCacheVersion and PodCacheVersion say up to which resource version the
	// cache has come: that of the newest change or list that it has taken in
	// (client-go LastStoreSyncResourceVersion). They may be called from any goroutine.
	// Nil where nobody knows; then stale.go has nothing to go by.
	ReplicaSetCacheVersion func() string
	PodCacheVersion        func() string
}
