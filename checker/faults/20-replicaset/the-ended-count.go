//go:build ignore

// Mistake: Pods that have ended count as replicas and are never replaced.
// Killed by: deletes-what-is-too-many
// Verdict: wrong-answer

package replicaset

import (
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) candidates(rs *kit.ReplicaSet) ([]*kit.Pod, error) {
	owned, err := r.options.PodCache.ByIndex(podsByOwner, rs.Namespace+"/"+rs.UID)
	if err != nil {
		return nil, err
	}
	orphans, err := r.options.PodCache.ByIndex(podsByOwner, rs.Namespace+"/")
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Concat(owned, orphans), func(pod *kit.Pod) bool { return pod.DeletionTimestamp != nil }), nil
}
