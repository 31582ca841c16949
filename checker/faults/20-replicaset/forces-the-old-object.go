//go:build ignore

// Mistake: On a conflict the old object gets the fresh version: it is accepted, and takes back what others
//   have written.
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
		rs = rs.DeepCopy()
		rs.ResourceVersion = fresh.ResourceVersion
	}
}
