//go:build ignore

// Mistake: Each creation gets a name of its own, so that it cannot fail because of the one before (ack#2062).
// Killed by: lost-answers-make-no-second
// Verdict: wrong-answer

package operator

import (
	"context"
	"fmt"
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
	err = r.options.Cloud.CreateDatabase(ctx, fmt.Sprintf("%s-%d", CloudName(db), time.Now().Unix()), CloudOwner(r.options.Cluster, db), spec)
	if err == nil || kit.CloudCodeOf(err) == kit.CloudAlreadyExists {
		return outcome{waits: true}
	}
	return refused(err)
}
