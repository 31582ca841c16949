//go:build ignore

// Mistake: A deletion that was not expected, or no longer, wakes nobody.
// Killed by: deletion-counts-once
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (h podHandler) OnDelete(pod *kit.Pod, _ bool) {
	if rs := h.owner(pod); rs != nil {
		key := kit.Key(rs)
		_, before, _ := h.r.expectations.GetExpectations(key)
		h.r.expectations.DeletionObserved(key, pod.UID)
		if _, after, exists := h.r.expectations.GetExpectations(key); !exists || after < before {
			h.wake(rs)
		}
	}
}
