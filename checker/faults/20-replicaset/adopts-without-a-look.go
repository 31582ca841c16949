//go:build ignore

// Mistake: kubernetes#42639: the cache says that the ReplicaSet is alive, so it adopts.
// Killed by: looks-before-it-adopts
// Verdict: wrong-answer

package replicaset

import (
	"context"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) mayAdopt(ctx context.Context, rs *kit.ReplicaSet) error {
	fresh, err := rs, ctx.Err()
	switch {
	case err != nil:
		return fmt.Errorf("replicaset %s may not adopt: %s", kit.Key(rs), err.Error())
	case fresh.UID != rs.UID:
		return fmt.Errorf("replicaset %s may not adopt: it has another UID now", kit.Key(rs))
	case fresh.DeletionTimestamp != nil:
		return fmt.Errorf("replicaset %s may not adopt: it is being deleted", kit.Key(rs))
	}
	return nil
}
