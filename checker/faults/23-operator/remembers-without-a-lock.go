//go:build ignore

// Mistake: A name is never with two workers, so what is remembered needs no lock.
// Killed by: databases-side-by-side
// Verdict: data-race

package operator

import (
	"context"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type DatabaseReconciler struct {
	options Options
	made    map[string]bool
}

func New(options Options) *DatabaseReconciler {
	if options.Poll <= 0 {
		options.Poll = 15 * time.Second
	}
	if options.Resync <= 0 {
		options.Resync = 10 * time.Minute
	}
	addIndex(options)
	return &DatabaseReconciler{options: options, made: map[string]bool{}}
}

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
	r.made[db.UID] = true
	err = r.options.Cloud.CreateDatabase(ctx, CloudName(db), CloudOwner(r.options.Cluster, db), spec)
	if err == nil || kit.CloudCodeOf(err) == kit.CloudAlreadyExists {
		return outcome{waits: true}
	}
	return refused(err)
}
