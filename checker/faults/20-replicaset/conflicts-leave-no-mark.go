//go:build ignore

// Mistake: Only a status that is accepted at once is remembered as a write.
// Killed by: own-writes-first
// Verdict: wrong-answer

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) updateStatus(ctx context.Context, rs *kit.ReplicaSet, status kit.ReplicaSetStatus) error {
	if rs.Status == status {
		return nil
	}
	for try := 1; ; try++ {
		next := rs.DeepCopy()
		next.Status = status
		stored, err := r.options.ReplicaSets.Update(ctx, next)
		if err == nil {
			if try == 1 {
				r.written.set(stored)
			}
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
