//go:build ignore

// Mistake: A ReplicaSet that is gone keeps its expectations where the version of the cache is known.
// Killed by: same-name-starts-clean
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
		if r.options.PodCacheVersion == nil {
			r.forget(key)
		}
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
	return r.report(ctx, rs, replicas, managed)
}
