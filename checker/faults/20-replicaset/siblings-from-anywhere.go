//go:build ignore

// Mistake: The ReplicaSets with the same controller are looked for in all namespaces.
// Killed by: siblings-share-nodes
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (r *ReplicaSetReconciler) related(rs *kit.ReplicaSet) []*kit.Pod {
	var pods []*kit.Pod
	for _, other := range r.options.ReplicaSetCache.List() {
		if siblings(rs, other) {
			owned, _ := r.options.PodCache.ByIndex(podsByOwner, other.Namespace+"/"+other.UID)
			pods = append(pods, owned...)
		}
	}
	return pods
}
