//go:build ignore

// Mistake: After a second conflict only the version of the fresh object is taken, and the rest from the one that was read before.
// Killed by: conflict-keeps-the-spec
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
			r.written.set(stored)
			return nil
		}
		if !kit.IsConflict(err) || try == statusTries {
			return err
		}
		fresh, err := r.options.ReplicaSets.Get(ctx, rs.Namespace, rs.Name)
		if err != nil {
			return err
		}
		if try > 1 {
			next.ResourceVersion = fresh.ResourceVersion
			fresh = next
		}
		rs = fresh
	}
}
