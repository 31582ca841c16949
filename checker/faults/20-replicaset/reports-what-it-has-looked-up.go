//go:build ignore

// Mistake: The ReplicaSet that was read before an adoption is the newest, so the status names its generation.
// Killed by: conflict-keeps-the-spec
// Verdict: wrong-answer

package replicaset

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type ReplicaSetReconciler struct {
	options      Options
	expectations *Expectations
	written      *written
	fresh        sync.Map // UID → *kit.ReplicaSet
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
	r.fresh.Store(rs.UID, fresh)
	return nil
}

func (r *ReplicaSetReconciler) report(ctx context.Context, rs *kit.ReplicaSet, replicas []*kit.Pod, managed error) (kit.Result, error) {
	if fresh, looked := r.fresh.LoadAndDelete(rs.UID); looked {
		rs = fresh.(*kit.ReplicaSet)
	}
	now := time.Now() // one moment for both: a pod is counted now or waited for
	err := r.updateStatus(ctx, rs, statusOf(rs, replicas, now))
	if err = errors.Join(managed, err); err != nil {
		return kit.Result{}, err
	}
	wait := untilAvailable(rs, replicas, now)
	if wait > 0 { // the write has taken its time, perhaps all of this
		wait = max(wait-time.Since(now), 1)
	}
	return kit.Result{RequeueAfter: wait}, nil
}
