//go:build ignore

// Mistake: What the operator has written itself is its own echo, whatever has changed in it.
// Killed by: own-status-wakes-nobody
// Verdict: wrong-answer

package operator

import (
	"context"
	"slices"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

var written sync.Map // UIDs with resource versions, of own updates

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
	written.Store(db.UID+"/"+db.ResourceVersion, true)
	return r.report(ctx, db, r.sync(ctx, db, func(context.Context) (*kit.Database, error) { return db, nil }))
}

func echo(before, after *kit.Database) bool {
	if _, own := written.LoadAndDelete(after.UID + "/" + after.ResourceVersion); own {
		return true
	}
	return before.ResourceVersion != after.ResourceVersion &&
		before.UID == after.UID &&
		before.Generation == after.Generation &&
		(before.DeletionTimestamp == nil) == (after.DeletionTimestamp == nil) &&
		slices.Equal(before.Finalizers, after.Finalizers)
}
