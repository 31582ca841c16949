//go:build ignore

// Mistake: The finalizer was not there, so the Database is new, and no database can have been lost.
// Killed by: loss-follows-the-policy
// Verdict: wrong-answer

package operator

import (
	"context"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DatabaseReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	cached, exists := r.options.DatabaseCache.GetByKey(request.String())
	switch {
	case !exists:
		return kit.Result{}, nil
	case cached.DeletionTimestamp != nil:
		return r.delete(ctx, cached)
	case slices.Contains(cached.Finalizers, Finalizer):
		return r.report(ctx, cached, r.sync(ctx, cached, r.readLive(cached)))
	}
	db := cached.DeepCopy()
	db.Finalizers = append(db.Finalizers, Finalizer)
	db, err := r.options.Databases.Update(ctx, db)
	if err != nil {
		return kit.Result{}, err
	}
	return r.report(ctx, db, r.sync(ctx, db, func(context.Context) (*kit.Database, error) {
		fresh := db.DeepCopy()
		fresh.Status = kit.DatabaseStatus{}
		return fresh, nil
	}))
}
