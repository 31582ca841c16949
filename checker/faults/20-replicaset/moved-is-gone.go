//go:build ignore

// Mistake: A pod that another ReplicaSet controls now is taken for deleted by its former owner.
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
	moved := !sameController(old, pod)
	if moved {
		h.OnDelete(old, false)
	}
	switch {
	case pod.DeletionTimestamp != nil:
		h.OnDelete(pod, false)
	case pod.ControllerOf() != nil:
		h.wake(h.owner(pod))
	case moved || !maps.Equal(old.Labels, pod.Labels):
		h.wakeMatching(pod)
	}
}
