//go:build ignore

// Mistake: A pod that is added with an owner that is no controller is taken for one that has a controller, and nobody comes to adopt it.
// Killed by: wakes-both-owners
// Verdict: wrong-answer

package replicaset

import (
	"github.com/controllerbook/controllerbook/labs/kit"
)

func (h podHandler) OnAdd(pod *kit.Pod, _ bool) {
	if pod.DeletionTimestamp != nil { // as a restarted controller may find it
		h.OnDelete(pod, false)
		return
	}
	if len(pod.OwnerReferences) == 0 {
		h.wakeMatching(pod)
		return
	}
	if rs := h.owner(pod); rs != nil {
		h.r.expectations.CreationObserved(kit.Key(rs))
		h.wake(rs)
	}
}
