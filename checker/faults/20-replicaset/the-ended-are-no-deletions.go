//go:build ignore

// Mistake: A pod that has failed was no replica any longer, so its deletion is not observed.
// Killed by: deletion-counts-once
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (h podHandler) OnDelete(pod *kit.Pod, _ bool) {
	if rs := h.owner(pod); rs != nil {
		if pod.Status.Phase != kit.PodFailed && pod.Status.Phase != kit.PodSucceeded {
			h.r.expectations.DeletionObserved(kit.Key(rs), pod.UID)
		}
		h.wake(rs)
	}
}
