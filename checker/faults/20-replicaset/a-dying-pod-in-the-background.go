//go:build ignore

// Mistake: PodHandler leaves a pod that is being deleted when it is added to a goroutine of its own.
// Killed by: wakes-both-owners
// Verdict: wrong-answer

package replicaset

func (h podHandler) OnAdd(pod *kit.Pod, _ bool) {
	if pod.DeletionTimestamp != nil {
		go h.OnDelete(pod, false)
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
