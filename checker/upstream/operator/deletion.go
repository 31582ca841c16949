package operator

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// delete lets go of a Database when the cloud has let go of its database. Only DeleteDatabase
// may say that there is none.
func (r *DatabaseReconciler) delete(ctx context.Context, db *Database) (ctrl.Result, error) {
	if !controllerutil.ContainsFinalizer(db, Finalizer) {
		return ctrl.Result{}, nil
	}
	has, err := r.Cloud.GetDatabase(ctx, CloudName(db))
	switch {
	case kit.CloudCodeOf(err) == kit.CloudNotFound: // perhaps
	case err != nil:
		return r.report(ctx, db, outcome{err: err})
	case has.Owner != CloudOwner(r.Cluster, db):
		return r.release(ctx, db)
	case has.State != kit.CloudAvailable && has.State != kit.CloudFailed:
		return r.report(ctx, db, outcome{waits: true})
	}
	err = r.Cloud.DeleteDatabase(ctx, CloudName(db))
	switch code := kit.CloudCodeOf(err); {
	case code == kit.CloudNotFound:
		return r.release(ctx, db)
	case err == nil || code == kit.CloudBusy:
		return r.report(ctx, db, outcome{waits: true})
	}
	return r.report(ctx, db, outcome{err: err})
}

// release takes the finalizer off.
func (r *DatabaseReconciler) release(ctx context.Context, db *Database) (ctrl.Result, error) {
	controllerutil.RemoveFinalizer(db, Finalizer)
	return ctrl.Result{}, client.IgnoreNotFound(r.Update(ctx, db))
}
