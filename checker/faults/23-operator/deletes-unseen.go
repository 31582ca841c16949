//go:build ignore

// Mistake: DeleteDatabase decides, so it is asked whatever GetDatabase has answered: also where that has failed, and nobody knows the owner.
// Killed by: strangers-are-left-alone
// Verdict: wrong-answer

package operator

import (
	"context"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DatabaseReconciler) delete(ctx context.Context, db *kit.Database) (kit.Result, error) {
	if !slices.Contains(db.Finalizers, Finalizer) {
		return kit.Result{}, nil
	}
	has, err := r.options.Cloud.GetDatabase(ctx, CloudName(db))
	switch {
	case kit.CloudCodeOf(err) == kit.CloudThrottled:
		return r.report(ctx, db, outcome{err: err})
	case err != nil: // perhaps
	case has.Owner != CloudOwner(r.options.Cluster, db):
		return r.release(ctx, db)
	case has.State != kit.CloudAvailable && has.State != kit.CloudFailed:
		return r.report(ctx, db, outcome{waits: true})
	}
	err = r.options.Cloud.DeleteDatabase(ctx, CloudName(db))
	switch code := kit.CloudCodeOf(err); {
	case code == kit.CloudNotFound:
		return r.release(ctx, db)
	case err == nil || code == kit.CloudBusy:
		return r.report(ctx, db, outcome{waits: true})
	}
	return r.report(ctx, db, outcome{err: err})
}
