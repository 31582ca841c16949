package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// ReplicaSetReconciler keeps as many pods running as each ReplicaSet asks for. It
// starts no goroutine that outlives a call.
type ReplicaSetReconciler struct {
	// yours
}

var _ kit.Reconciler = (*ReplicaSetReconciler)(nil)

// New returns a ReplicaSetReconciler. It may add indices to the caches, under names of
// its own; several reconcilers may be made over one cache, one after the other.
func New(options Options) *ReplicaSetReconciler {
	panic(kit.TODO("New"))
}

// Reconcile brings one ReplicaSet nearer to what it asks for. It is never called twice
// at once for one request, but may be called at once for different requests. It reads
// from the caches, except where claim.go and status.go say otherwise. In this order:
//
//  1. If it knows a cache to be older than its own writes for this ReplicaSet (stale.go),
//     it returns ErrStaleCache, wrapped or not, and does nothing.
//  2. A ReplicaSet that ReplicaSetCache does not have is gone. Its expectations are
//     deleted, and that is no error.
//  3. It asks its expectations whether they are satisfied, before it looks at any pod.
//     In the other order, pods that arrive in between satisfy them and are not counted.
//  4. It claims pods (claim.go). These are its replicas. With an error it stops here and
//     returns it: nothing is created or deleted.
//  5. If the expectations were satisfied and the ReplicaSet is not being deleted, and
//     the replicas are too few or too many, it creates or deletes the difference, but at
//     most Burst. It calls the Expect method before the first request goes out.
//  6. It writes the status (status.go): also if it has done nothing in 5, and also
//     if 5 has failed.
//  7. It returns an error if 5 or 6 failed. Otherwise, if a replica is ready and not
//     available yet (status.go), Result.RequeueAfter is greater than zero, and at most the
//     time from the return of Reconcile until the first of them becomes available: the time
//     that writing the status took is deducted. If that moment is over, any time above zero
//     will do. A replica whose ReadySince is not known asks for any time above zero, and the
//     limit that another one sets holds all the same. If there is no such replica, the
//     Result is zero.
//
// The errors that it returns may be wrapped or joined. What a negative number in the spec
// means is left open: the API server refuses it.
//
// Creating goes through SlowStartBatch, and begins with SlowStartInitialBatchSize. A pod
// is in the namespace of the ReplicaSet, and has the template's labels, annotations and
// spec, and nothing else of it; a GenerateName, which is the name of the ReplicaSet and "-"; and one owner
// reference, to the ReplicaSet, which is its controller. APIVersion and Kind of the
// reference are those of kit.ReplicaSets, even if the object in the cache has none: many
// caches leave them out. Creations that fail or are skipped are no longer expected, and
// an error of one of them is returned. One failure does not count as one: in a namespace
// that is being deleted (IsNamespaceTerminating) no pod will ever appear. That is no
// error and no event, and the creation stays expected: only this keeps the controller
// from trying again at once. Whether the batches go on then is left open; if not, what is
// skipped is no longer expected.
//
// Deleting takes the pods that PodsToDelete chooses, all at the same time. The related pods
// are those in the cache that this ReplicaSet controls, and those that the ReplicaSets of its
// namespace with the same controller (the same UID) control. Whether pods adopted or released
// in this Reconcile are among them is left open. Where it has no controller, its own pods may
// be counted as related, or none. A deletion that fails, even with NotFound, is no longer
// expected: no handler may ever hear of it. The error of one of them is returned, but NotFound
// is no error: somebody else was faster. Whether the UID is a precondition of a deletion is
// left open; a Conflict because of it is an error like any other.
//
// Each pod created or deleted is a Normal event about the ReplicaSet, and each that
// failed a Warning, with the reasons of options.go. A deletion that finds its pod gone
// (NotFound) is no event.
func (r *ReplicaSetReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	panic(kit.TODO("ReplicaSetReconciler.Reconcile"))
}
