//go:build ignore

// Mistake: A pod is related if any of its owners is one of the siblings.
// Killed by: siblings-share-nodes
// Verdict: wrong-answer

package replicaset

import (
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) related(rs *kit.ReplicaSet) []*kit.Pod {
	var pods []*kit.Pod
	for _, other := range r.setsIn(rs.Namespace) {
		if siblings(rs, other) {
			for _, pod := range r.options.PodCache.List() {
				if pod.Namespace == rs.Namespace && slices.ContainsFunc(pod.OwnerReferences, func(ref kit.OwnerReference) bool { return ref.UID == other.UID }) {
					pods = append(pods, pod)
				}
			}
		}
	}
	return pods
}
