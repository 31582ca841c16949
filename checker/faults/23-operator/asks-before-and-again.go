//go:build ignore

// Mistake: Before the finalizer is written the cloud is asked whose the name is. An error shows again below.
// Killed by: retry-after-is-obeyed
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
	has, err := r.options.Cloud.GetDatabase(ctx, CloudName(cached))
	if err == nil && has.Owner != CloudOwner(r.options.Cluster, cached) {
		return r.report(ctx, cached, stuck(NameTaken, "the database %s belongs to %s", has.Name, has.Owner))
	}
	db := cached.DeepCopy()
	db.Finalizers = append(db.Finalizers, Finalizer)
	if db, err = r.options.Databases.Update(ctx, db); err != nil {
		return kit.Result{}, err
	}
	return r.report(ctx, db, r.sync(ctx, db, func(context.Context) (*kit.Database, error) { return db, nil }))
}
