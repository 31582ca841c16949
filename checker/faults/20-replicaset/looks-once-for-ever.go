//go:build ignore

// Mistake: What the API server has said about adopting is remembered beyond the Reconcile.
// Killed by: looks-before-it-adopts
// Verdict: wrong-answer

package replicaset

import (
	"context"
	"errors"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

var looked sync.Map // of this mistake: UIDs that may adopt

func (r *ReplicaSetReconciler) mayAdopt(ctx context.Context, rs *kit.ReplicaSet) error {
	key := looking{r, rs.UID}
	if _, known := looked.Load(key); known {
		return nil
	}
	fresh, err := r.options.ReplicaSets.Get(ctx, rs.Namespace, rs.Name)
	switch {
	case err != nil:
		return errors.New(err.Error())
	case fresh.UID != rs.UID || fresh.DeletionTimestamp != nil:
		return errors.New("another one, or being deleted")
	}
	looked.Store(key, true)
	return nil
}

type looking struct {
	r   *ReplicaSetReconciler
	uid string
}
