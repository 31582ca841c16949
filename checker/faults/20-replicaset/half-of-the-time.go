//go:build ignore

// Mistake: Reconcile asks to be called again when half of the time is over that a pod needed before the status was
//   written.
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
	return kit.Result{RequeueAfter: (untilAvailable(rs, replicas, now) + 1) / 2}, nil
}
