//go:build ignore

// Mistake: The object from the cache is only needed for the Update.
// Killed by: caches-stay-as-they-are
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
	cached.Finalizers = append(cached.Finalizers, Finalizer)
	db, err := r.options.Databases.Update(ctx, cached)
	if err != nil {
		return kit.Result{}, err
	}
	return r.report(ctx, db, r.sync(ctx, db, func(context.Context) (*kit.Database, error) { return db, nil }))
}
