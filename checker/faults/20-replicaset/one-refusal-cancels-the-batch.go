//go:build ignore

// Mistake: The first creation that is refused cancels the context of the others in its batch, which would have succeeded.
// Killed by: quota-stops-the-burst
// Verdict: wrong-answer

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) create(ctx context.Context, rs *kit.ReplicaSet, n int) error {
	key := kit.Key(rs)
	r.expectations.ExpectCreations(key, n)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	created, err := SlowStartBatch(n, SlowStartInitialBatchSize, func() error {
		err := r.createPod(ctx, rs)
		if err != nil {
			cancel(err)
		}
		return err
	})
	for range n - created {
		r.expectations.CreationObserved(key)
	}
	if err != nil {
		return context.Cause(ctx)
	}
	return nil
}
