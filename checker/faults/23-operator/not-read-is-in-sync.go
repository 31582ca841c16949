//go:build ignore

// Mistake: When the Database cannot be read from the API server, nothing is created, and Reconcile returns nil.
// Killed by: api-errors-come-back
// Verdict: wrong-answer

package operator

import (
	"context"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DatabaseReconciler) create(ctx context.Context, db *kit.Database, live live) outcome {
	now, err := live(ctx)
	switch {
	case kit.IsNotFound(err):
		return outcome{stale: true}
	case err != nil:
		return outcome{}
	case now.UID != db.UID || now.DeletionTimestamp != nil || !slices.Contains(now.Finalizers, Finalizer):
		return outcome{stale: true}
	case now.Status.Endpoint != "" && now.Spec.OnLoss == kit.LossReport:
		return stuck(Lost, "the database at %s is gone, and its data with it", now.Status.Endpoint)
	}
	spec, ok := r.wanted(db)
	if !ok {
		return passwordMissing(db)
	}
	err = r.options.Cloud.CreateDatabase(ctx, CloudName(db), CloudOwner(r.options.Cluster, db), spec)
	if err == nil || kit.CloudCodeOf(err) == kit.CloudAlreadyExists {
		return outcome{waits: true}
	}
	return refused(err)
}
