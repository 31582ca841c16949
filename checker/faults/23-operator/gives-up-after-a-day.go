//go:build ignore

// Mistake: What could not be deleted for a day never will be, and the finalizer only holds the namespace up.
// Killed by: cloud-down-finalizer-stays
// Verdict: wrong-answer

package operator

import (
	"context"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DatabaseReconciler) delete(ctx context.Context, db *kit.Database) (kit.Result, error) {
	if !slices.Contains(db.Finalizers, Finalizer) {
		return kit.Result{}, nil
	}
	has, err := r.options.Cloud.GetDatabase(ctx, CloudName(db))
	switch {
	case kit.CloudCodeOf(err) == kit.CloudNotFound: // perhaps
	case err != nil:
		return r.report(ctx, db, outcome{err: err})
	case has.Owner != CloudOwner(r.options.Cluster, db):
		return r.release(ctx, db)
	case has.State != kit.CloudAvailable && has.State != kit.CloudFailed:
		return r.report(ctx, db, outcome{waits: true})
	}
	err = r.options.Cloud.DeleteDatabase(ctx, CloudName(db))
	if err != nil && time.Since(*db.DeletionTimestamp) > 24*time.Hour {
		return r.release(ctx, db)
	}
	switch code := kit.CloudCodeOf(err); {
	case code == kit.CloudNotFound:
		return r.release(ctx, db)
	case err == nil || code == kit.CloudBusy:
		return r.report(ctx, db, outcome{waits: true})
	}
	return r.report(ctx, db, outcome{err: err})
}
