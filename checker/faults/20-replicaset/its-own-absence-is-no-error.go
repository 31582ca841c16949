//go:build ignore

// Mistake: The error of the fresh look is wrapped: that the ReplicaSet is not found then reads as if the pod
//   were not.
// Killed by: looks-before-it-adopts
// Verdict: wrong-answer

package replicaset

import (
	"context"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) mayAdopt(ctx context.Context, rs *kit.ReplicaSet) error {
	fresh, err := r.options.ReplicaSets.Get(ctx, rs.Namespace, rs.Name)
	switch {
	case err != nil:
		return fmt.Errorf("replicaset %s may not adopt: %w", kit.Key(rs), err)
	case fresh.UID != rs.UID:
		return fmt.Errorf("replicaset %s may not adopt: it has another UID now", kit.Key(rs))
	case fresh.DeletionTimestamp != nil:
		return fmt.Errorf("replicaset %s may not adopt: it is being deleted", kit.Key(rs))
	}
	return nil
}
