//go:build ignore

// Mistake: The database is needed, so Reconcile waits for it.
// Killed by: never-holds-a-worker
// Verdict: wrong-answer

package operator

import (
	"context"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DatabaseReconciler) create(ctx context.Context, db *kit.Database, live live) outcome {
	now, err := live(ctx)
	switch {
	case kit.IsNotFound(err):
		return outcome{stale: true}
	case err != nil:
		return outcome{err: err}
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
		time.Sleep(r.options.Poll)
		return outcome{waits: true}
	}
	return refused(err)
}
