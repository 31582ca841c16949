//go:build ignore

// Mistake: Orphans of other namespaces are adopted; owners are never in another namespace than their pods.
// Killed by: adopts-orphans
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
	orphans, err := slices.DeleteFunc(r.options.PodCache.List(), func(pod *kit.Pod) bool { return pod.ControllerOf() != nil }), error(nil)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Concat(owned, orphans), func(pod *kit.Pod) bool { return !pod.Active() }), nil
}
