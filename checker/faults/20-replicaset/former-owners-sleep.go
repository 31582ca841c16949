//go:build ignore

// Mistake: Only the owner that the pod has now is woken. The one it had has a pod too few and does not know.
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
	switch {
	case pod.DeletionTimestamp != nil:
		h.OnDelete(pod, false)
	case pod.ControllerOf() != nil:
		h.wake(h.owner(pod))
	case moved || !maps.Equal(old.Labels, pod.Labels):
		h.wakeMatching(pod)
	}
}
