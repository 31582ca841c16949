//go:build ignore

// Mistake: A copy of the struct may append to its finalizers: what was there stays as it was. Where the array has room, append writes into that of the cache.
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
	changed := *cached
	changed.Finalizers = append(changed.Finalizers, Finalizer)
	db, err := r.options.Databases.Update(ctx, &changed)
	if err != nil {
		return kit.Result{}, err
	}
	return r.report(ctx, db, r.sync(ctx, db, func(context.Context) (*kit.Database, error) { return db, nil }))
}
