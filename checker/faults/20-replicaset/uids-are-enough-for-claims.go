//go:build ignore

// Mistake: Pods are looked up by the UID of their controller alone, in whatever namespace they are.
// Killed by: deletes-what-is-too-many
// Verdict: wrong-answer

package replicaset

import (
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func ownerKey(pod *kit.Pod) string {
	if ref := pod.ControllerOf(); ref != nil {
		return ref.UID
	}
	return pod.Namespace + "/"
}

func (r *ReplicaSetReconciler) candidates(rs *kit.ReplicaSet) ([]*kit.Pod, error) {
	owned, err := r.options.PodCache.ByIndex(podsByOwner, rs.UID)
	if err != nil {
		return nil, err
	}
	orphans, err := r.options.PodCache.ByIndex(podsByOwner, rs.Namespace+"/")
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Concat(owned, orphans), func(pod *kit.Pod) bool { return !pod.Active() }), nil
}
