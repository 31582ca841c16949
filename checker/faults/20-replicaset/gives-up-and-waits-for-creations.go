//go:build ignore

// Mistake: When the context is done, a creation is not asked for, and is not lowered, because only those that were
//   refused are.
// Killed by: quota-stops-the-burst
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
	var begun atomic.Int64
	_, err := SlowStartBatch(n, SlowStartInitialBatchSize, func() error {
		begun.Add(1)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		err := r.createPod(ctx, rs)
		if err != nil {
			r.expectations.CreationObserved(key)
		}
		return err
	})
	for range n - int(begun.Load()) {
		r.expectations.CreationObserved(key)
	}
	return err
}
