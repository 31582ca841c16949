//go:build ignore

// Mistake: A pod's deletion of which the final state is not known is not trusted.
// Killed by: missed-deletions-count
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (h podHandler) OnDelete(pod *kit.Pod, unknown bool) {
	if unknown {
		return
	}
	if rs := h.owner(pod); rs != nil {
		h.r.expectations.DeletionObserved(kit.Key(rs), pod.UID)
		h.wake(rs)
	}
}
