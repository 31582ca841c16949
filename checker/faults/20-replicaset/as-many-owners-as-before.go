//go:build ignore

// Mistake: The controller of a pod has changed if it has more owners than before, or fewer.
// Killed by: wakes-both-owners
// Verdict: wrong-answer

package replicaset

import (
	"maps"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (h podHandler) OnUpdate(old, pod *kit.Pod) {
	if old.ResourceVersion == pod.ResourceVersion {
		return // a resync: Reconcile is asked for by other means
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
	case len(old.OwnerReferences) != len(pod.OwnerReferences) || !maps.Equal(old.Labels, pod.Labels):
		h.wakeMatching(pod)
	}
}
