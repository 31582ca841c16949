//go:build ignore

// Mistake: What was refused or skipped stays expected: the next try is in five minutes.
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
	created, err := SlowStartBatch(n, SlowStartInitialBatchSize, func() error { return r.createPod(ctx, rs) })
	_ = created
	return err
}
