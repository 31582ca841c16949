//go:build ignore

// Mistake: A pod that does not match any more is not counted, and not released either.
// Killed by: any-lag-same-end
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
	case owned == matches || rs.DeletionTimestamp != nil:
		return false, nil
	case owned:
		return false, nil
	}
	if err := mayAdopt(); err != nil {
		return false, err
	}
	err := r.adopt(ctx, rs, pod)
	return err == nil, err
}
