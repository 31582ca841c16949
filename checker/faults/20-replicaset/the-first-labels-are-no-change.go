//go:build ignore

// Mistake: An orphan without labels cannot have been of interest, so that its first labels wake nobody.
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
		h.wake(h.owner(pod))
	case moved || len(old.Labels) > 0 && !maps.Equal(old.Labels, pod.Labels):
		h.wakeMatching(pod)
	}
}
