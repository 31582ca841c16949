//go:build ignore

// Mistake: Reconcile asks to be called again only if the status was new.
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
	status := statusOf(rs, replicas, now)
	err := r.updateStatus(ctx, rs, status)
	if err = errors.Join(managed, err); err != nil || status == rs.Status {
		return kit.Result{}, err
	}
	return kit.Result{RequeueAfter: untilAvailable(rs, replicas, now)}, nil
}
