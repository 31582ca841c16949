//go:build ignore

// Mistake: A pod that is being deleted is treated as deleted and looked at no further: that it has changed hands is not seen.
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
	if pod.DeletionTimestamp != nil {
		h.OnDelete(pod, false)
		return
	}
	moved := !sameController(old, pod)
	if moved {
		h.wake(h.owner(old))
	}
	switch {
	case pod.ControllerOf() != nil:
		h.wake(h.owner(pod))
	case moved || !maps.Equal(old.Labels, pod.Labels):
		h.wakeMatching(pod)
	}
}
