package replicaset

import (
	"maps"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// The handlers are called by informers, after the caches have changed. They may be
// called while a Reconcile is under way, even from within its calls on clients and caches,
// and return without waiting for it. They call enqueue for the ReplicaSets that are named
// here and for no others; twice for the same one does no harm.

// ReplicaSetHandler is to be added to the informer of ReplicaSets.
//
// It enqueues every ReplicaSet that is added, updated or deleted. When one is deleted,
// whether or not its final state is known, its expectations are deleted too. So are those
// of the old one in an update from one UID to another: that is a deletion and a creation
// of which nobody has heard. If the call for a deletion comes so late that the next
// ReplicaSet of the name has already been reconciled, it is left open what is forgotten:
// upstream goes by the name.
func (r *ReplicaSetReconciler) ReplicaSetHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.ReplicaSet] {
	return kit.ResourceEventHandlerFuncs[*kit.ReplicaSet]{
		AddFunc: func(rs *kit.ReplicaSet, _ bool) { enqueue(kit.RequestFor(rs)) },
		UpdateFunc: func(old, rs *kit.ReplicaSet) {
			if old.UID != rs.UID {
				r.forget(kit.Key(old))
			}
			enqueue(kit.RequestFor(rs))
		},
		DeleteFunc: func(rs *kit.ReplicaSet, _ bool) {
			r.forget(kit.Key(rs))
			enqueue(kit.RequestFor(rs))
		},
	}
}

// PodHandler is to be added to the informer of pods.
//
// The owner of a pod is the ReplicaSet in the cache to which its controller reference
// points: Kind, name and UID are the same.
//
//   - A pod that is added is a creation observed for its owner, which is enqueued. Without
//     any controller it is nobody's creation: every ReplicaSet of the namespace whose
//     selector matches is enqueued, to adopt it. If the pod is already being deleted, it
//     is treated as deleted.
//   - An update in which the resource version stays the same is a resync: nothing is
//     enqueued. In every other update the owner is enqueued, and if the pod now has another
//     owner or none, the former owner too. If it has no controller, and its labels or its
//     controller have changed, every ReplicaSet whose selector matches is enqueued; whether
//     this is so for a pod that is being deleted, too, is left open. An update is never a
//     creation observed. If the pod now is being deleted, it is treated as deleted, without
//     waiting for the end of the grace period.
//   - A pod that is deleted, whether or not its final state is known, is a deletion observed
//     for its owner, which is enqueued. A second observation, when the pod is gone for
//     good, does not count.
func (r *ReplicaSetReconciler) PodHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Pod] {
	return podHandler{r, enqueue}
}

type podHandler struct {
	*ReplicaSetReconciler
	enqueue func(kit.Request)
}

func (h podHandler) OnAdd(pod *kit.Pod, _ bool) {
	if pod.DeletionTimestamp != nil {
		h.OnDelete(pod, false)
		return
	}
	if pod.ControllerOf() == nil {
		h.wakeMatching(pod)
		return
	}
	if rs := h.ownerOf(pod); rs != nil {
		h.expectations.CreationObserved(kit.Key(rs))
		h.enqueue(kit.RequestFor(rs))
	}
}

func (h podHandler) OnUpdate(old, pod *kit.Pod) {
	if old.ResourceVersion == pod.ResourceVersion {
		return
	}
	former, owner := h.ownerOf(old), h.ownerOf(pod)
	if former != nil && (owner == nil || owner.UID != former.UID) {
		if pod.DeletionTimestamp != nil {
			h.expectations.DeletionObserved(kit.Key(former), pod.UID)
		}
		h.enqueue(kit.RequestFor(former))
	}
	switch {
	case pod.DeletionTimestamp != nil:
		h.OnDelete(pod, false)
	case owner != nil:
		h.enqueue(kit.RequestFor(owner))
	case pod.ControllerOf() == nil:
		if old.ControllerOf() != nil || !maps.Equal(old.Labels, pod.Labels) {
			h.wakeMatching(pod)
		}
	}
}

func (h podHandler) OnDelete(pod *kit.Pod, _ bool) {
	if rs := h.ownerOf(pod); rs != nil {
		h.expectations.DeletionObserved(kit.Key(rs), pod.UID)
		h.enqueue(kit.RequestFor(rs))
	}
}

// wakeMatching enqueues who might adopt pod.
func (h podHandler) wakeMatching(pod *kit.Pod) {
	for _, rs := range h.ReplicaSetCache.List() {
		if rs.Namespace == pod.Namespace && rs.Spec.Selector.Matches(pod.Labels) {
			h.enqueue(kit.RequestFor(rs))
		}
	}
}

// ownerOf is the ReplicaSet in the cache that controls pod, or nil.
func (r *ReplicaSetReconciler) ownerOf(pod *kit.Pod) *kit.ReplicaSet {
	ref := pod.ControllerOf()
	if ref == nil || ref.Kind != kit.ReplicaSets.Kind {
		return nil
	}
	rs, exists := r.ReplicaSetCache.GetByKey(kit.Request{Namespace: pod.Namespace, Name: ref.Name}.String())
	if !exists || rs.UID != ref.UID {
		return nil
	}
	return rs
}
