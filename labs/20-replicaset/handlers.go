package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

// The handlers are called by informers, after the caches have changed. They may be
// called while a Reconcile is under way, even from within its calls on anything in Options,
// and return without waiting for it. They call enqueue for the ReplicaSets named below and
// for no others; they may call it twice for the same one. The last call for one comes after
// everything that the handler observes for it: a worker may be at work before the handler has
// returned. enqueue itself does not reconcile, nor does it wait for a Reconcile.

// ReplicaSetHandler is to be added to the informer of ReplicaSets.
//
// It enqueues every ReplicaSet that is added, updated or deleted; a resync is an update,
// too. When one is deleted, whether or not its final state is known, its expectations are
// deleted too, before it is enqueued. So are those of the old one in an update from one UID
// to another: that is a deletion and a creation of which nobody has heard. Left open is
//
//   - what is forgotten if the call for either comes so late that the next ReplicaSet of the
//     name has already been reconciled: upstream goes by the name;
//   - whether, if a Reconcile of the old one is under way during the call, the next one waits
//     for what that Reconcile expects afterwards;
//   - whether a Reconcile that finds the next one in the cache before the call deletes the
//     expectations of the old one itself.
func (r *ReplicaSetReconciler) ReplicaSetHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.ReplicaSet] {
	panic(kit.TODO("ReplicaSetReconciler.ReplicaSetHandler"))
}

// PodHandler is to be added to the informer of pods.
//
// The owner of a pod is the ReplicaSet of its namespace in the cache to which its controller
// reference points: Kind, name and UID are the same, whatever its APIVersion.
//
//   - A pod that is added is a creation observed for its owner, which is enqueued. Without
//     any controller it is nobody's creation: every ReplicaSet of the namespace whose
//     selector matches is enqueued, to adopt it. If the pod is already being deleted, it
//     is treated as deleted.
//   - An update in which the resource version stays the same is a resync: nothing is enqueued.
//     In every other update the owner is enqueued, and if the pod now has another owner or
//     none, the former owner too. If it has no controller, and its labels or its controller
//     have changed, every ReplicaSet of the namespace whose selector matches is enqueued. An
//     update is never a creation observed. If the pod now is being deleted, it is treated as
//     deleted, without waiting for the end of the grace period.
//   - A pod that is deleted, whether or not its final state is known, is a deletion observed
//     for its owner, which is enqueued. A second observation, when the pod is gone for
//     good, does not count, and enqueues the owner all the same.
//
// Left open is
//
//   - whether an update of a pod that now is being deleted enqueues a former owner and those
//     whose selector matches;
//   - whether the deletion is then observed for a former owner, too;
//   - whether an update from one UID to another is a deletion observed of the old pod.
func (r *ReplicaSetReconciler) PodHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Pod] {
	panic(kit.TODO("ReplicaSetReconciler.PodHandler"))
}
