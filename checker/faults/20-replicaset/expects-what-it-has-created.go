//go:build ignore

// Mistake: The creations are expected once their number is known: when they have been made, and some of them
//   have been observed.
// Killed by: expectations-before-requests
// Verdict: wrong-answer

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) create(ctx context.Context, rs *kit.ReplicaSet, n int) error {
	key := kit.Key(rs)
	created, err := SlowStartBatch(n, SlowStartInitialBatchSize, func() error { return r.createPod(ctx, rs) })
	r.expectations.ExpectCreations(key, created)
	return err
}
