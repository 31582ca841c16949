//go:build ignore

// Mistake: After a failure the creations that succeeded are expected anew, in the place of lowering what was expected. The
//   handler has heard of them before.
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
	if err != nil {
		r.expectations.ExpectCreations(key, created)
	}
	return err
}
