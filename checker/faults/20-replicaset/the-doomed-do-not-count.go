//go:build ignore

// Mistake: Pods that were just deleted do not count in the status, though the cache shows them.
// Killed by: status-counts-replicas
// Verdict: wrong-answer

package replicaset

import (
	"context"
	"errors"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) report(ctx context.Context, rs *kit.ReplicaSet, replicas []*kit.Pod, managed error) (kit.Result, error) {
	now := time.Now() // one moment for both: a pod is counted now or waited for
	if managed == nil && rs.DeletionTimestamp == nil {
		replicas = replicas[:min(len(replicas), rs.Spec.Replicas)]
	}
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
