//go:build ignore

// Mistake: kubernetes#8138: the pods are read first and the expectations afterwards. One more pod than asked
//   for, when an event comes in between.
// Killed by: expectations-before-pods
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
	replicas, err := r.claim(ctx, rs)
	if err != nil {
		return kit.Result{}, err
	}
	satisfied := r.expectations.SatisfiedExpectations(key)
	var managed error
	if satisfied && rs.DeletionTimestamp == nil {
		managed = r.manage(ctx, rs, replicas)
	}
	return r.report(ctx, rs, replicas, managed)
}
