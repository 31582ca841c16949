//go:build ignore

// Mistake: The text of the error begins with its code, so the text says whether there is such a database.
// Killed by: cloud-down-finalizer-stays
// Verdict: wrong-answer

package operator

import (
	"context"
	"slices"
	"strings"

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
	switch code := kit.CloudCodeOf(err); {
	case err != nil && strings.Contains(err.Error(), string(kit.CloudNotFound)):
		return r.release(ctx, db)
	case err == nil || code == kit.CloudBusy:
		return r.report(ctx, db, outcome{waits: true})
	}
	return r.report(ctx, db, outcome{err: err})
}
