package operator

import (
	"context"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// planEnd is the plan for what is being deleted. It always asks DeleteDatabase, which knows.
func planEnd(w world) (action, verdict) {
	if w.has != nil && w.has.Owner != CloudOwner(w.cluster, w.db) {
		return removeFinalizer, verdict{}
	}
	return deleteDatabase, verdict{ready: no, reason: Deleting, waits: true}
}

func (r *DatabaseReconciler) removeFinalizer(ctx context.Context, db *kit.Database) (kit.Result, error) {
	i := slices.Index(db.Finalizers, Finalizer)
	db.Finalizers = slices.Delete(db.Finalizers, i, i+1)
	_, err := r.Databases.Update(ctx, db)
	return kit.Result{}, err
}
