//go:build ignore

// Mistake: Each event of a pod lowers the expected creations.
// Killed by: wakes-both-owners
// Verdict: wrong-answer

package replicaset

import (
	"maps"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (h podHandler) OnUpdate(old, pod *kit.Pod) {
	if old.ResourceVersion == pod.ResourceVersion {
		return
	}
	moved := !sameController(old, pod)
	if moved {
		h.wake(h.owner(old))
	}
	switch {
	case pod.DeletionTimestamp != nil:
		h.OnDelete(pod, false)
	case pod.ControllerOf() != nil:
		if rs := h.owner(pod); rs != nil {
			h.r.expectations.CreationObserved(kit.Key(rs))
		}
		h.wake(h.owner(pod))
	case moved || !maps.Equal(old.Labels, pod.Labels):
		h.wakeMatching(pod)
	}
}
