//go:build ignore

// Mistake: A ReplicaSet that a pod without controller names among its owners hears of it, too.
// Killed by: wakes-both-owners
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (h podHandler) owner(pod *kit.Pod) *kit.ReplicaSet {
	ref := pod.ControllerOf()
	for i := range pod.OwnerReferences {
		if ref == nil {
			ref = &pod.OwnerReferences[i]
		}
	}
	if ref == nil || ref.Kind != kit.ReplicaSets.Kind {
		return nil
	}
	rs, exists := h.r.options.ReplicaSetCache.GetByKey(kit.Request{Namespace: pod.Namespace, Name: ref.Name}.String())
	if !exists || rs.UID != ref.UID {
		return nil
	}
	return rs
}
