//go:build ignore

// Mistake: Where the database is a stranger's, a copy of the struct is enough to take the finalizer off. DeleteFunc writes to the array of the object in the cache.
// Killed by: caches-stay-as-they-are
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
	case kit.CloudCodeOf(err) == kit.CloudNotFound: // perhaps
	case err != nil:
		return r.report(ctx, db, outcome{err: err})
	case has.Owner != CloudOwner(r.options.Cluster, db):
		released := *db
		released.Finalizers = slices.DeleteFunc(released.Finalizers, func(f string) bool { return f == Finalizer })
		_, err := r.options.Databases.Update(ctx, &released)
		return kit.Result{}, err
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
