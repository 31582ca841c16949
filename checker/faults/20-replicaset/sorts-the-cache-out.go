//go:build ignore

// Mistake: The pods that are not active are taken out of the slice that the cache has returned.
// Killed by: caches-stay-as-they-are
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
	return slices.DeleteFunc(append(owned, orphans...), func(pod *kit.Pod) bool { return !pod.Active() }), nil
}
