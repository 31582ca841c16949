//go:build ignore

// Mistake: The owner is enqueued first and the creation observed after that, as if no worker were as fast as a handler.
// Killed by: expectations-before-pods
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
		h.wake(rs)
		h.r.expectations.CreationObserved(kit.Key(rs))
	}
}
