//go:build ignore

// Mistake: Only the numbers are compared: that a new spec was seen is reported when a number changes.
// Killed by: status-counts-replicas
// Verdict: wrong-answer

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) updateStatus(ctx context.Context, rs *kit.ReplicaSet, status kit.ReplicaSetStatus) error {
	if was := rs.Status; was.Replicas == status.Replicas && was.ReadyReplicas == status.ReadyReplicas && was.AvailableReplicas == status.AvailableReplicas {
		return nil
	}
	for try := 1; ; try++ {
		next := rs.DeepCopy()
		next.Status = status
		stored, err := r.options.ReplicaSets.Update(ctx, next)
		if err == nil {
			r.written.set(stored)
			return nil
		}
		if !kit.IsConflict(err) || try == statusTries {
			return err
		}
		if rs, err = r.options.ReplicaSets.Get(ctx, rs.Namespace, rs.Name); err != nil {
			return err
		}
	}
}
