package replicaset

import (
	"maps"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// ReplicaSetHandler is to be added to the informer of ReplicaSets.
//
// It enqueues every ReplicaSet that is added, updated or deleted. When one is deleted,
// whether or not its final state is known, its expectations are deleted too. So are those
// of the old one in an update from one UID to another: that is a deletion and a creation
// of which nobody has heard. If the call for a deletion comes so late that the next
// ReplicaSet of the name has already been reconciled, it is left open what is forgotten:
// upstream goes by the name.
func (r *ReplicaSetReconciler) ReplicaSetHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.ReplicaSet] {
	return rsEvents{r, enqueue}
}

type rsEvents struct {
	r       *ReplicaSetReconciler
	enqueue func(kit.Request)
}

func (h rsEvents) OnAdd(rs *kit.ReplicaSet, _ bool) { h.enqueue(kit.RequestFor(rs)) }
func (h rsEvents) OnUpdate(old, rs *kit.ReplicaSet) {
	if old.UID != rs.UID {
		h.OnDelete(old, true)
	}
	h.OnAdd(rs, false)
}
func (h rsEvents) OnDelete(rs *kit.ReplicaSet, _ bool) {
	h.r.exp.DeleteExpectations(kit.Key(rs))
	h.r.own.drop(kit.Key(rs))
	h.enqueue(kit.RequestFor(rs))
	h.enqueue(kit.RequestFor(rs))
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
	owner := func(p *kit.Pod) []*kit.ReplicaSet {
		c := p.ControllerOf()
		if c == nil || c.Kind != "ReplicaSet" {
			return nil
		}
		for _, rs := range r.o.ReplicaSetCache.List() {
			if rs.UID == c.UID && rs.Name == c.Name && rs.Namespace == p.Namespace {
				return []*kit.ReplicaSet{rs}
			}
		}
		return nil
	}
	adopters := func(p *kit.Pod) {
		for _, rs := range r.o.ReplicaSetCache.List() {
			if rs.Namespace == p.Namespace && rs.Spec.Selector.Matches(p.Labels) {
				enqueue(kit.RequestFor(rs))
			}
		}
	}
	gone := func(p *kit.Pod, _ bool) {
		for _, rs := range owner(p) {
			r.exp.DeletionObserved(kit.Key(rs), p.UID)
			enqueue(kit.RequestFor(rs))
		}
	}
	return kit.ResourceEventHandlerFuncs[*kit.Pod]{
		AddFunc: func(p *kit.Pod, _ bool) {
			switch {
			case p.DeletionTimestamp != nil:
				gone(p, false)
			case p.ControllerOf() == nil:
				adopters(p)
			default:
				for _, rs := range owner(p) {
					r.exp.CreationObserved(kit.Key(rs))
					enqueue(kit.RequestFor(rs))
				}
			}
		},
		UpdateFunc: func(old, p *kit.Pod) {
			if old.ResourceVersion == p.ResourceVersion {
				return
			}
			if p.DeletionTimestamp != nil {
				gone(p, false)
			}
			for _, rs := range append(owner(old), owner(p)...) {
				enqueue(kit.RequestFor(rs))
			}
			if p.ControllerOf() == nil && (old.ControllerOf() != nil || !maps.Equal(old.Labels, p.Labels)) {
				adopters(p)
			}
		},
		DeleteFunc: gone,
	}
}
