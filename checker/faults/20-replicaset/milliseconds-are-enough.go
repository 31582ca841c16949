//go:build ignore

// Mistake: The time until a pod is available is asked for in whole milliseconds.
// Killed by: available-in-time
// Verdict: wrong-answer

package replicaset

import (
	"context"
	"errors"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) report(ctx context.Context, rs *kit.ReplicaSet, replicas []*kit.Pod, managed error) (kit.Result, error) {
	now := time.Now()
	err := r.updateStatus(ctx, rs, statusOf(rs, replicas, now))
	if err = errors.Join(managed, err); err != nil {
		return kit.Result{}, err
	}
	wait := untilAvailable(rs, replicas, now)
	if wait > 0 {
		wait = max(wait-time.Since(now), time.Millisecond).Truncate(time.Millisecond)
	}
	return kit.Result{RequeueAfter: wait}, nil
}
