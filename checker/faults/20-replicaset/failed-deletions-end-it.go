//go:build ignore

// Mistake: With the error of a deletion Reconcile returns, and the status is left to the next one.
// Killed by: failed-delete-is-not-waited-for
// Verdict: wrong-answer

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	key := request.String()
	// This look says only for which ReplicaSet of the name the marks count. All else is read
	// when the versions of the caches have been asked for.
	if rs, exists := r.options.ReplicaSetCache.GetByKey(key); exists {
		r.written.succeed(rs)
	}
	if err := r.written.seen(key); err != nil {
		return kit.Result{}, err
	}
	rs, exists := r.options.ReplicaSetCache.GetByKey(key)
	if !exists {
		r.forget(key)
		return kit.Result{}, nil
	}
	satisfied := r.expectations.SatisfiedExpectations(key)
	replicas, err := r.claim(ctx, rs)
	if err != nil {
		return kit.Result{}, err
	}
	var managed error
	if satisfied && rs.DeletionTimestamp == nil {
		managed = r.manage(ctx, rs, replicas)
	}
	if managed != nil && len(replicas) > rs.Spec.Replicas {
		return kit.Result{}, managed
	}
	return r.report(ctx, rs, replicas, managed)
}
