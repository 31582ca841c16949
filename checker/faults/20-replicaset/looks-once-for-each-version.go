//go:build ignore

// Mistake: A look at a ReplicaSet holds as long as the cache shows the version for which it was taken.
// Killed by: looks-before-it-adopts
// Verdict: wrong-answer

package replicaset

import (
	"context"
	"fmt"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type ReplicaSetReconciler struct {
	options      Options
	expectations *Expectations
	written      *written
	looked       sync.Map // UID and resource version
}

func (r *ReplicaSetReconciler) mayAdopt(ctx context.Context, rs *kit.ReplicaSet) error {
	if _, looked := r.looked.Load(rs.UID + rs.ResourceVersion); looked {
		return nil
	}
	fresh, err := r.options.ReplicaSets.Get(ctx, rs.Namespace, rs.Name)
	switch {
	case err != nil:
		return fmt.Errorf("replicaset %s may not adopt: %s", kit.Key(rs), err.Error())
	case fresh.UID != rs.UID:
		return fmt.Errorf("replicaset %s may not adopt: it has another UID now", kit.Key(rs))
	case fresh.DeletionTimestamp != nil:
		return fmt.Errorf("replicaset %s may not adopt: it is being deleted", kit.Key(rs))
	}
	r.looked.Store(rs.UID+rs.ResourceVersion, true)
	return nil
}
