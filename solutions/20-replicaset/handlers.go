package replicaset

import (
	"maps"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// ReplicaSetHandler is to be added to the informer of ReplicaSets. The stub's
// documentation is the contract.
func (r *ReplicaSetReconciler) ReplicaSetHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.ReplicaSet] {
	gone := func(rs *kit.ReplicaSet, _ bool) {
		r.forget(kit.Key(rs))
		enqueue(kit.RequestFor(rs))
	}
	return kit.ResourceEventHandlerFuncs[*kit.ReplicaSet]{
		AddFunc: func(rs *kit.ReplicaSet, _ bool) { enqueue(kit.RequestFor(rs)) },
		// An informer that has missed a deletion and a creation reports one update.
		UpdateFunc: func(old, rs *kit.ReplicaSet) {
			if old.UID != rs.UID {
				gone(old, true)
			}
			enqueue(kit.RequestFor(rs))
		},
		DeleteFunc: gone,
	}
}

// PodHandler is to be added to the informer of pods.
func (r *ReplicaSetReconciler) PodHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Pod] {
	return podHandler{r, enqueue}
}

type podHandler struct {
	r       *ReplicaSetReconciler
	enqueue func(kit.Request)
}

func (h podHandler) OnAdd(pod *kit.Pod, _ bool) {
	if pod.DeletionTimestamp != nil { // as a restarted controller may find it
		h.OnDelete(pod, false)
		return
	}
	if pod.ControllerOf() == nil {
		h.wakeMatching(pod)
		return
	}
	if rs := h.owner(pod); rs != nil {
		h.r.expectations.CreationObserved(kit.Key(rs))
		h.wake(rs)
	}
}

func (h podHandler) OnUpdate(old, pod *kit.Pod) {
	if old.ResourceVersion == pod.ResourceVersion {
		return // a resync: Reconcile is asked for by other means
	}
	moved := !sameController(old, pod)
	if moved {
		h.wake(h.owner(old))
	}
	switch {
	case pod.DeletionTimestamp != nil:
		h.OnDelete(pod, false)
	case pod.ControllerOf() != nil:
		h.wake(h.owner(pod))
	case moved || !maps.Equal(old.Labels, pod.Labels):
		h.wakeMatching(pod)
	}
}

// OnDelete is called at least twice for a pod that is deleted gracefully. Expectations
// know the pod by its UID and count it once.
func (h podHandler) OnDelete(pod *kit.Pod, _ bool) {
	if rs := h.owner(pod); rs != nil {
		h.r.expectations.DeletionObserved(kit.Key(rs), pod.UID)
		h.wake(rs)
	}
}

// owner is the ReplicaSet that controls pod, nil if there is none. It is found by name,
// but only the UID says that it is the one.
func (h podHandler) owner(pod *kit.Pod) *kit.ReplicaSet {
	ref := pod.ControllerOf()
	if ref == nil || ref.Kind != kit.ReplicaSets.Kind {
		return nil
	}
	rs, exists := h.r.options.ReplicaSetCache.GetByKey(kit.Request{Namespace: pod.Namespace, Name: ref.Name}.String())
	if !exists || rs.UID != ref.UID {
		return nil
	}
	return rs
}

func (h podHandler) wake(rs *kit.ReplicaSet) {
	if rs != nil {
		h.enqueue(kit.RequestFor(rs))
	}
}

// wakeMatching wakes all who might adopt the pod. Which of them does is for the API
// server to decide.
func (h podHandler) wakeMatching(pod *kit.Pod) {
	for _, rs := range h.r.setsIn(pod.Namespace) {
		if rs.Spec.Selector.Matches(pod.Labels) {
			h.wake(rs)
		}
	}
}

func sameController(a, b *kit.Pod) bool {
	refA, refB := a.ControllerOf(), b.ControllerOf()
	if refA == nil || refB == nil {
		return refA == refB
	}
	return *refA == *refB
}
