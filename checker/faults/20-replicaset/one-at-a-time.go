//go:build ignore

// Mistake: The ReplicaSet at work is kept in a field of the reconciler, as if there were but one worker.
// Killed by: sets-side-by-side
// Verdict: data-race

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type ReplicaSetReconciler struct {
	options      Options
	expectations *Expectations
	written      *written
	current      *kit.ReplicaSet
}

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
	r.current = rs
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

func (r *ReplicaSetReconciler) createPod(ctx context.Context, rs *kit.ReplicaSet) error {
	pod, err := r.options.Pods.Create(ctx, newPod(r.current))
	switch {
	case IsNamespaceTerminating(err):
		return nil
	case err != nil:
		r.event(rs, kit.EventWarning, FailedCreate, "Error creating: %v", err)
		return err
	}
	r.written.pod(rs, pod)
	r.event(rs, kit.EventNormal, SuccessfulCreate, "Created pod: %s", pod.Name)
	return nil
}
