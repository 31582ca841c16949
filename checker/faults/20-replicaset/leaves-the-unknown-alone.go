//go:build ignore

// Mistake: A pod of which the phase is Unknown is not adopted.
// Killed by: adopts-orphans
// Verdict: wrong-answer

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) claimPod(ctx context.Context, rs *kit.ReplicaSet, pod *kit.Pod, mayAdopt func() error) (bool, error) {
	owned, matches := pod.ControllerOf() != nil, rs.Spec.Selector.Matches(pod.Labels)
	switch {
	case owned && matches:
		return true, nil
	case !owned && pod.Status.Phase == kit.PodUnknown:
		return false, nil
	case owned == matches || rs.DeletionTimestamp != nil:
		return false, nil
	case owned:
		return false, r.release(ctx, rs, pod)
	}
	if err := mayAdopt(); err != nil {
		return false, err
	}
	err := r.adopt(ctx, rs, pod)
	return err == nil, err
}
