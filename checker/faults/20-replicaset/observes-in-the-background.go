//go:build ignore

// Mistake: PodHandler observes a deletion in a goroutine of its own, so that an informer does not wait for a lock.
// Killed by: expectations-before-pods
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (h podHandler) OnDelete(pod *kit.Pod, _ bool) {
	if rs := h.owner(pod); rs != nil {
		go h.r.expectations.DeletionObserved(kit.Key(rs), pod.UID)
		h.wake(rs)
	}
}
