//go:build ignore

// Mistake: kubernetes#49145: all pods that are missing are asked for at once. A quota refuses nearly five
//   hundred.
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
	created, err := SlowStartBatch(n, n, func() error { return r.createPod(ctx, rs) })
	for range n - created {
		r.expectations.CreationObserved(key)
	}
	return err
}
