package operator

import (
	"context"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// delete lets go of a Database when the cloud has let go of its database.
//
// Only DeleteDatabase may say that there is none. It acts on how things are; GetDatabase may
// not have heard yet of a database that was created a second ago.
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
	case code == kit.CloudNotFound:
		return r.release(ctx, db)
	case err == nil || code == kit.CloudBusy:
		return r.report(ctx, db, outcome{waits: true})
	}
	return r.report(ctx, db, outcome{err: err})
}

// release takes the finalizer off.
func (r *DatabaseReconciler) release(ctx context.Context, db *kit.Database) (kit.Result, error) {
	db = db.DeepCopy()
	db.Finalizers = slices.DeleteFunc(db.Finalizers, func(f string) bool { return f == Finalizer })
	_, err := r.options.Databases.Update(ctx, db)
	if kit.IsNotFound(err) {
		err = nil
	}
	return kit.Result{}, err
}
