//go:build ignore

// Mistake: A pod that has failed when it is first seen is taken for an old one, of which nobody waits to hear.
// Killed by: waits-for-its-own-pods
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (h podHandler) OnAdd(pod *kit.Pod, _ bool) {
	if pod.DeletionTimestamp != nil {
		h.OnDelete(pod, false)
		return
	}
	if pod.ControllerOf() == nil {
		h.wakeMatching(pod)
		return
	}
	if rs := h.owner(pod); rs != nil {
		if pod.Active() {
			h.r.expectations.CreationObserved(kit.Key(rs))
		}
		h.wake(rs)
	}
}
