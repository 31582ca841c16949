//go:build ignore

// Mistake: The finalizer is written with the rest, when the work is done (cluster-api-provider-outscale#917).
// Killed by: finalizer-first
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
	}
	o := r.sync(ctx, cached, func(context.Context) (*kit.Database, error) {
		db := cached.DeepCopy()
		db.Finalizers = append(db.Finalizers, Finalizer)
		return db, nil
	})
	if slices.Contains(cached.Finalizers, Finalizer) {
		return r.report(ctx, cached, o)
	}
	db := cached.DeepCopy()
	db.Finalizers = append(db.Finalizers, Finalizer)
	db, err := r.options.Databases.Update(ctx, db)
	if err != nil {
		return kit.Result{}, err
	}
	return r.report(ctx, db, o)
}
