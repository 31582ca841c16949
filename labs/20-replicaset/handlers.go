package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

// The handlers are called by informers, after the caches have changed. They may be
// called while a Reconcile is under way, even from within its calls on clients and caches,
// and return without waiting for it. They call enqueue for the ReplicaSets that are named
// here and for no others; twice for the same one does no harm.

// ReplicaSetHandler is to be added to the informer of ReplicaSets.
//
// Every ReplicaSet that is added, updated or deleted is enqueued. If it is deleted,
// whether or not its final state is known, its expectations are deleted too, and so are
// those of the old one in an update from one UID to another: that is a deletion and a
// creation in between of which nobody told. What a handler forgets that comes so late that
// the next ReplicaSet of the name has been reconciled already, is left open: upstream goes
// by the name.
func (r *ReplicaSetReconciler) ReplicaSetHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.ReplicaSet] {
	panic(kit.TODO("ReplicaSetReconciler.ReplicaSetHandler"))
}

// PodHandler is to be added to the informer of pods.
//
// The owner of a pod is the ReplicaSet in the cache to which its controller reference
// points: Kind, name and UID are the same.
//
//   - A pod that is added is a creation observed by its owner, which is enqueued. Without
//     any controller it was nobody's creation: every ReplicaSet of the namespace whose
//     selector matches is enqueued, to adopt it. If the pod is already being deleted, it
//     is treated as deleted.
//   - An update in which the resource version stays the same is a resync: nothing is
//     enqueued. In every other update the owner is enqueued, and if the pod
//     now has another owner or none, the former owner too. If it has no controller, and its
//     labels or its controller have changed, every ReplicaSet whose selector matches is
//     enqueued. An update is never a creation observed. If the pod now is being deleted, it
//     is treated as deleted: nobody waits for the end of the grace period.
//   - A pod that is deleted, whether or not its final state is known, is a deletion observed
//     by its owner, which is enqueued. That it is observed again when the pod is gone for
//     good counts for nothing.
func (r *ReplicaSetReconciler) PodHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Pod] {
	panic(kit.TODO("ReplicaSetReconciler.PodHandler"))
}
