//go:build ignore

// Mistake: If a creation fails no status is written: nobody learns how many pods there are.
// Killed by: quota-stops-the-burst
// Verdict: wrong-answer

package replicaset

import (
	"context"
	"errors"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) report(ctx context.Context, rs *kit.ReplicaSet, replicas []*kit.Pod, managed error) (kit.Result, error) {
	if managed != nil {
		return kit.Result{}, managed
	}
	now := time.Now()
	err := r.updateStatus(ctx, rs, statusOf(rs, replicas, now))
	if err = errors.Join(managed, err); err != nil {
		return kit.Result{}, err
	}
	wait := untilAvailable(rs, replicas, now)
	if wait > 0 {
		wait = max(wait-time.Since(now), 1)
	}
	return kit.Result{RequeueAfter: wait}, nil
}
