//go:build ignore

// Mistake: A deletion is observed in each update of a pod, because those of other pods than the deleted ones count
//   for nothing.
// Killed by: deletion-counts-once
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
	h.OnDelete(pod, false)
	moved := !sameController(old, pod)
	if moved {
		h.wake(h.owner(old))
	}
	if pod.ControllerOf() == nil && pod.DeletionTimestamp == nil && (moved || !maps.Equal(old.Labels, pod.Labels)) {
		h.wakeMatching(pod)
	}
}
