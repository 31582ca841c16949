//go:build ignore

// Mistake: Outstanding deletions keep the controller from deleting more, and not from creating.
// Killed by: waits-for-its-own-pods
// Verdict: wrong-answer

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	key := request.String()
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
	_, dels, _ := r.expectations.GetExpectations(key)
	replicas, err := r.claim(ctx, rs)
	if err != nil {
		return kit.Result{}, err
	}
	var managed error
	if (satisfied || dels > 0 && len(replicas) < rs.Spec.Replicas) && rs.DeletionTimestamp == nil {
		managed = r.manage(ctx, rs, replicas)
	}
	return r.report(ctx, rs, replicas, managed)
}
