//go:build ignore

// Mistake: The cloud throttles who creates too much at once, and a lock around CreateDatabase is the limit. The others wait for it in their workers.
// Killed by: databases-side-by-side
// Verdict: wrong-answer

package operator

import (
	"context"
	"slices"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type DatabaseReconciler struct {
	options  Options
	creating sync.Mutex
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
	r.creating.Lock()
	defer r.creating.Unlock()
	err = r.options.Cloud.CreateDatabase(ctx, CloudName(db), CloudOwner(r.options.Cluster, db), spec)
	if err == nil || kit.CloudCodeOf(err) == kit.CloudAlreadyExists {
		return outcome{waits: true}
	}
	return refused(err)
}
