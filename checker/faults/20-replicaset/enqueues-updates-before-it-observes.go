//go:build ignore

// Mistake: When an update says that a pod is being deleted, its owner is enqueued first and the deletion observed after that.
// Killed by: expectations-before-pods
// Verdict: wrong-answer

package replicaset

import (
	"maps"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (h podHandler) OnUpdate(old, pod *kit.Pod) {
	if old.ResourceVersion == pod.ResourceVersion {
		return
	}
	moved := !sameController(old, pod)
	if moved {
		h.wake(h.owner(old))
	}
	switch {
	case pod.ControllerOf() != nil:
		rs := h.owner(pod)
		h.wake(rs)
		if rs != nil && pod.DeletionTimestamp != nil {
			h.r.expectations.DeletionObserved(kit.Key(rs), pod.UID)
		}
	case pod.DeletionTimestamp == nil && (moved || !maps.Equal(old.Labels, pod.Labels)):
		h.wakeMatching(pod)
	}
}
