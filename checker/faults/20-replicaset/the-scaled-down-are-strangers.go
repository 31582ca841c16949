//go:build ignore

// Mistake: The pods of a sibling that is scaled to zero are not related, though they are there still.
// Killed by: siblings-share-nodes
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (r *ReplicaSetReconciler) related(rs *kit.ReplicaSet) []*kit.Pod {
	var pods []*kit.Pod
	for _, other := range r.setsIn(rs.Namespace) {
		if siblings(rs, other) && other.Spec.Replicas > 0 {
			owned, _ := r.options.PodCache.ByIndex(podsByOwner, other.Namespace+"/"+other.UID)
			pods = append(pods, owned...)
		}
	}
	return pods
}
