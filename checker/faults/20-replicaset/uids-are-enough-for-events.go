//go:build ignore

// Mistake: PodHandler looks for the owner of a pod by UID and name, and not in the namespace of the pod.
// Killed by: pods-wake-their-owner
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (h podHandler) owner(pod *kit.Pod) *kit.ReplicaSet {
	ref := pod.ControllerOf()
	if ref == nil || ref.Kind != kit.ReplicaSets.Kind {
		return nil
	}
	for _, rs := range h.r.options.ReplicaSetCache.List() {
		if rs.UID == ref.UID && rs.Name == ref.Name {
			return rs
		}
	}
	return nil
}
