//go:build ignore

// Mistake: Pods that have ended are released, too, if their labels do not match.
// Killed by: releases-what-does-not-match
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
	return slices.DeleteFunc(slices.Concat(owned, orphans), func(pod *kit.Pod) bool {
		return !pod.Active() && (pod.ControllerOf() == nil || rs.Spec.Selector.Matches(pod.Labels))
	}), nil
}
