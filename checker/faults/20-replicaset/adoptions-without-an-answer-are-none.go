//go:build ignore

// Mistake: The client gave up waiting for the answer to an adoption: that says nothing of the pod, so it is left for the next time and is no error.
// Killed by: adopts-orphans
// Verdict: wrong-answer

package replicaset

import (
	"context"
	"errors"

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
	if errors.Is(err, context.DeadlineExceeded) {
		return false, nil
	}
	return err == nil, err
}
