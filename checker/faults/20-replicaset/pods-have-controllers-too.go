//go:build ignore

// Mistake: When nodes are compared, each pod is asked for its controller, as if it had one.
// Killed by: siblings-share-nodes
// Verdict: panic

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (r *ReplicaSetReconciler) related(rs *kit.ReplicaSet) []*kit.Pod {
	uids := map[string]bool{}
	for _, other := range r.setsIn(rs.Namespace) {
		uids[other.UID] = siblings(rs, other)
	}
	var pods []*kit.Pod
	for _, pod := range r.options.PodCache.List() {
		if uids[pod.ControllerOf().UID] {
			pods = append(pods, pod)
		}
	}
	return pods
}
