//go:build ignore

// Mistake: A ReplicaSet that is being deleted is left alone altogether, and nobody hears how many pods it has.
// Killed by: being-deleted-does-nothing
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
	if rs.DeletionTimestamp != nil {
		return kit.Result{}, nil
	}
	satisfied := r.expectations.SatisfiedExpectations(key)
	replicas, err := r.claim(ctx, rs)
	if err != nil {
		return kit.Result{}, err
	}
	var managed error
	if satisfied {
		managed = r.manage(ctx, rs, replicas)
	}
	return r.report(ctx, rs, replicas, managed)
}
