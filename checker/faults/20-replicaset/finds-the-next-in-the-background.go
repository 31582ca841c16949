//go:build ignore

// Mistake: When Reconcile finds the next ReplicaSet of a name, a goroutine of its own deletes the expectations of
//   the old one, or what the next one expects by then.
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
		if r.written.another(rs) {
			go r.expectations.DeleteExpectations(key)
		}
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
	return r.report(ctx, rs, replicas, managed)
}

func (w *written) another(rs *kit.ReplicaSet) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	m, marked := w.marks[kit.Key(rs)]
	return marked && m.uid != rs.UID
}
