//go:build ignore

// Mistake: The status is written although claiming has failed, and so nobody knows the replicas.
// Killed by: adopts-orphans
// Verdict: wrong-answer

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	key := request.String()
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
	if err == nil && satisfied && rs.DeletionTimestamp == nil {
		err = r.manage(ctx, rs, replicas)
	}
	return r.report(ctx, rs, replicas, err)
}
