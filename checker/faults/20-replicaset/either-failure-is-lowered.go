//go:build ignore

// Mistake: When a creation has failed, all that made no pod are no longer expected, and with them one that failed because the
//   namespace is being deleted.
// Killed by: terminating-namespace
// Verdict: wrong-answer

package replicaset

import (
	"context"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) create(ctx context.Context, rs *kit.ReplicaSet, n int) error {
	key := kit.Key(rs)
	r.expectations.ExpectCreations(key, n)
	var made atomic.Int32
	_, err := SlowStartBatch(n, SlowStartInitialBatchSize, func() error { return r.createPod(ctx, rs, &made) })
	if err != nil {
		for range n - int(made.Load()) {
			r.expectations.CreationObserved(key)
		}
	}
	return err
}

func (r *ReplicaSetReconciler) createPod(ctx context.Context, rs *kit.ReplicaSet, made *atomic.Int32) error {
	pod, err := r.options.Pods.Create(ctx, newPod(rs))
	switch {
	case IsNamespaceTerminating(err):
		return nil
	case err != nil:
		r.event(rs, kit.EventWarning, FailedCreate, "Error creating: %v", err)
		return err
	}
	made.Add(1)
	r.written.pod(rs, pod)
	r.event(rs, kit.EventNormal, SuccessfulCreate, "Created pod: %s", pod.Name)
	return nil
}
