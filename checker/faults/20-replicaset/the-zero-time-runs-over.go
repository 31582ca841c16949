//go:build ignore

// Mistake: The zero time is reckoned with as a time: what a slow write takes is deducted from the smallest Duration, which runs over.
// Killed by: available-in-time
// Verdict: wrong-answer

package replicaset

import (
	"context"
	"errors"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func untilAvailable(rs *kit.ReplicaSet, replicas []*kit.Pod, now time.Time) time.Duration {
	var next time.Duration
	for _, pod := range replicas {
		if !pod.Status.Ready || available(rs, pod, now) {
			continue
		}
		if wait := pod.Status.ReadySince.Add(minReady(rs)).Sub(now); next == 0 || wait < next {
			next = wait
		}
	}
	return next
}

func (r *ReplicaSetReconciler) report(ctx context.Context, rs *kit.ReplicaSet, replicas []*kit.Pod, managed error) (kit.Result, error) {
	now := time.Now()
	err := r.updateStatus(ctx, rs, statusOf(rs, replicas, now))
	if err = errors.Join(managed, err); err != nil {
		return kit.Result{}, err
	}
	wait := untilAvailable(rs, replicas, now)
	if wait != 0 {
		wait = max(wait-time.Since(now), 1)
	}
	return kit.Result{RequeueAfter: wait}, nil
}
