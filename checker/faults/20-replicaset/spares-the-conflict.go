//go:build ignore

// Mistake: The version that Get returned before an adoption is put into the object of the cache, so that the status meets no conflict.
// Killed by: conflict-keeps-the-spec
// Verdict: wrong-answer

package replicaset

import (
	"context"
	"fmt"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type ReplicaSetReconciler struct {
	options      Options
	expectations *Expectations
	written      *written
	fresh        sync.Map // UID → resource version
}

func (r *ReplicaSetReconciler) mayAdopt(ctx context.Context, rs *kit.ReplicaSet) error {
	fresh, err := r.options.ReplicaSets.Get(ctx, rs.Namespace, rs.Name)
	switch {
	case err != nil:
		return fmt.Errorf("replicaset %s may not adopt: %s", kit.Key(rs), err.Error())
	case fresh.UID != rs.UID:
		return fmt.Errorf("replicaset %s may not adopt: it has another UID now", kit.Key(rs))
	case fresh.DeletionTimestamp != nil:
		return fmt.Errorf("replicaset %s may not adopt: it is being deleted", kit.Key(rs))
	}
	r.fresh.Store(rs.UID, fresh.ResourceVersion)
	return nil
}

func (r *ReplicaSetReconciler) updateStatus(ctx context.Context, rs *kit.ReplicaSet, status kit.ReplicaSetStatus) error {
	if rs.Status == status {
		return nil
	}
	if version, looked := r.fresh.LoadAndDelete(rs.UID); looked {
		rs = rs.DeepCopy()
		rs.ResourceVersion = version.(string)
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
