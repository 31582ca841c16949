//go:build ignore

// Mistake: The Update with the finalizer is a Conflict: somebody else may have written it. Then the Database is read afresh, and the Reconcile goes on.
// Killed by: late-cache-moves-no-time
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
	if kit.IsConflict(err) {
		db, err = r.options.Databases.Get(ctx, cached.Namespace, cached.Name)
		if err == nil && (db.UID != cached.UID || db.DeletionTimestamp != nil || !slices.Contains(db.Finalizers, Finalizer)) {
			return kit.Result{RequeueAfter: r.options.Poll}, nil
		}
	}
	if err != nil {
		return kit.Result{}, err
	}
	return r.report(ctx, db, r.sync(ctx, db, func(context.Context) (*kit.Database, error) { return db, nil }))
}
