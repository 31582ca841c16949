//go:build ignore

// Mistake: The creations that were refused or skipped are taken out of the expectations by a goroutine of its own.
// Killed by: expectations-before-requests
// Verdict: wrong-answer

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) create(ctx context.Context, rs *kit.ReplicaSet, n int) error {
	key := kit.Key(rs)
	r.expectations.ExpectCreations(key, n)
	created, err := SlowStartBatch(n, SlowStartInitialBatchSize, func() error { return r.createPod(ctx, rs) })
	go func() {
		for range n - created {
			r.expectations.CreationObserved(key)
		}
	}()
	return err
}
