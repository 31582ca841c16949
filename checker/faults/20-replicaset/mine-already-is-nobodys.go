//go:build ignore

// Mistake: After a conflict the fresh pod turns out to be a replica already. There is nothing left to adopt, and it is
//   not counted.
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
	case owned == matches || rs.DeletionTimestamp != nil:
		return false, nil
	case owned:
		return false, r.release(ctx, rs, pod)
	}
	if err := mayAdopt(); err != nil {
		return false, err
	}
	err := r.adopt(ctx, rs, pod)
	if !kit.IsConflict(err) {
		return err == nil, err
	}
	fresh, getErr := r.options.Pods.Get(ctx, pod.Namespace, pod.Name)
	if getErr != nil {
		return false, err
	}
	if owner := fresh.ControllerOf(); owner != nil && owner.UID == rs.UID && rs.Spec.Selector.Matches(fresh.Labels) {
		return false, nil
	}
	return false, err
}
