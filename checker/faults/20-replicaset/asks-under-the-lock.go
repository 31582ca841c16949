//go:build ignore

// Mistake: The lock of the expectations is held while the ReplicaSet is managed, so that nothing may change
//   meanwhile. The handlers wait for it, and the requests for the handlers.
// Killed by: expectations-before-requests
// Verdict: deadlock

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) create(ctx context.Context, rs *kit.ReplicaSet, n int) error {
	key := kit.Key(rs)
	r.expectations.ExpectCreations(key, n)
	r.expectations.mu.Lock()
	defer r.expectations.mu.Unlock()
	created, err := SlowStartBatch(n, SlowStartInitialBatchSize, func() error { return r.createPod(ctx, rs) })
	for range n - created {
		r.expectations.CreationObserved(key)
	}
	return err
}
