//go:build ignore

// Mistake: When creations were skipped, those that succeeded are expected anew. The handler has heard of them before.
// Killed by: expectations-before-requests
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
	var tried atomic.Int64
	created, err := SlowStartBatch(n, SlowStartInitialBatchSize, func() error {
		tried.Add(1)
		return r.createPod(ctx, rs)
	})
	if int(tried.Load()) < n {
		r.expectations.ExpectCreations(key, created)
		return err
	}
	for range n - created {
		r.expectations.CreationObserved(key)
	}
	return err
}
