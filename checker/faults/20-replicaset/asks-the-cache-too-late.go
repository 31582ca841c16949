//go:build ignore

// Mistake: The ReplicaSet is read before the versions are asked, and the cache may catch up in between.
// Killed by: own-writes-first
// Verdict: wrong-answer

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	key := request.String()
	rs, exists := r.options.ReplicaSetCache.GetByKey(key)
	if !exists {
		r.forget(key)
		return kit.Result{}, nil
	}
	if err := r.written.seen(key); err != nil {
		return kit.Result{}, err
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
	return r.report(ctx, rs, replicas, managed)
}
