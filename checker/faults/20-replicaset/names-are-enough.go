//go:build ignore

// Mistake: The owner is found by name: a pod of the old ReplicaSet wakes the new one, and is observed by it.
// Killed by: pods-wake-their-owner
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (h podHandler) owner(pod *kit.Pod) *kit.ReplicaSet {
	ref := pod.ControllerOf()
	if ref == nil || ref.Kind != kit.ReplicaSets.Kind {
		return nil
	}
	rs, exists := h.r.options.ReplicaSetCache.GetByKey(kit.Request{Namespace: pod.Namespace, Name: ref.Name}.String())
	if !exists {
		return nil
	}
	return rs
}
