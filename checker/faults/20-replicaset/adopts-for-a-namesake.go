//go:build ignore

// Mistake: The fresh ReplicaSet is looked up by name, and its UID is not compared.
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
		return fmt.Errorf("replicaset %s may not adopt: %s", kit.Key(rs), err.Error())
	case false:
		return fmt.Errorf("replicaset %s may not adopt: it has another UID now", kit.Key(rs))
	case fresh.DeletionTimestamp != nil:
		return fmt.Errorf("replicaset %s may not adopt: it is being deleted", kit.Key(rs))
	}
	return nil
}
