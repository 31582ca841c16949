//go:build ignore

// Mistake: Without a password nothing can be done, and so the deletion waits for it. The Secret was deleted with the Database.
// Killed by: cloud-down-finalizer-stays
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
	if _, ok := r.wanted(db); !ok {
		return r.report(ctx, db, passwordMissing(db))
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
	switch code := kit.CloudCodeOf(err); {
	case code == kit.CloudNotFound:
		return r.release(ctx, db)
	case err == nil || code == kit.CloudBusy:
		return r.report(ctx, db, outcome{waits: true})
	}
	return r.report(ctx, db, outcome{err: err})
}
