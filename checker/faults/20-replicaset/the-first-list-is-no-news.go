//go:build ignore

// Mistake: Pods of the initial list are taken for old ones, which nobody has just created.
// Killed by: waits-for-its-own-pods
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (h podHandler) OnAdd(pod *kit.Pod, initial bool) {
	if pod.DeletionTimestamp != nil {
		h.OnDelete(pod, false)
		return
	}
	if pod.ControllerOf() == nil {
		h.wakeMatching(pod)
		return
	}
	if rs := h.owner(pod); rs != nil {
		if !initial {
			h.r.expectations.CreationObserved(kit.Key(rs))
		}
		h.wake(rs)
	}
}
