//go:build ignore

// Mistake: A pod that is being deleted when it is first seen is counted as one of the creations.
// Killed by: deletion-counts-once
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (h podHandler) OnAdd(pod *kit.Pod, _ bool) {
	if false {
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
