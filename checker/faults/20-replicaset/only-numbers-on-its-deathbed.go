//go:build ignore

// Mistake: Of a ReplicaSet that is being deleted only the number of replicas is reported, and not what else has changed.
// Killed by: being-deleted-does-nothing
// Verdict: wrong-answer

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) updateStatus(ctx context.Context, rs *kit.ReplicaSet, status kit.ReplicaSetStatus) error {
	if rs.Status == status || rs.DeletionTimestamp != nil && rs.Status.Replicas == status.Replicas {
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
