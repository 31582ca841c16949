package operator

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// DatabaseReconciler sees to it that the cloud has a database for each Database. What it is
// held to stands in labs/23-operator.
type DatabaseReconciler struct {
	client.Client               // reads from the cache, and writes to the API server
	APIReader     client.Reader // reads from the API server itself

	Cloud   kit.Cloud
	Cluster string

	Poll   time.Duration // how long to wait before asking the cloud again about work in progress
	Resync time.Duration // how long to wait before asking it again when there is nothing to do
}

var _ reconcile.Reconciler = (*DatabaseReconciler)(nil)

// Reconcile brings one Database nearer to what it asks for. Get returns a copy of what is in
// the cache, so that db may be changed.
func (r *DatabaseReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	db := &Database{}
	if err := r.Get(ctx, request.NamespacedName, db); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !db.DeletionTimestamp.IsZero() {
		return r.delete(ctx, db)
	}
	if controllerutil.AddFinalizer(db, Finalizer) {
		if err := r.Update(ctx, db); err != nil {
			return ctrl.Result{}, err
		}
	}
	return r.report(ctx, db, r.sync(ctx, db))
}

// sync compares what the spec asks for with what the cloud has, and does one step.
func (r *DatabaseReconciler) sync(ctx context.Context, db *Database) outcome {
	has, err := r.Cloud.GetDatabase(ctx, CloudName(db))
	switch {
	case kit.CloudCodeOf(err) == kit.CloudNotFound:
		return r.create(ctx, db)
	case err != nil:
		return outcome{err: err}
	case has.Owner != CloudOwner(r.Cluster, db):
		return stuck(NameTaken, "the cloud has a database %s that belongs to %s", has.Name, has.Owner)
	case has.State == kit.CloudFailed:
		return stuck(Failed, "the cloud could not make the database")
	case has.State != kit.CloudAvailable:
		return outcome{has: has, waits: true}
	}
	o := r.adjust(ctx, db, has)
	o.has = has
	return o
}

// create creates the database, if the Database is still there to be its owner.
func (r *DatabaseReconciler) create(ctx context.Context, db *Database) outcome {
	now := &Database{}
	err := r.APIReader.Get(ctx, client.ObjectKeyFromObject(db), now)
	switch {
	case apierrors.IsNotFound(err):
		return outcome{stale: true}
	case err != nil:
		return outcome{err: err}
	case now.UID != db.UID || !now.DeletionTimestamp.IsZero() || !controllerutil.ContainsFinalizer(now, Finalizer):
		return outcome{stale: true}
	case now.Status.Endpoint != "" && now.Spec.OnLoss == LossReport:
		return stuck(Lost, "the database at %s is gone, and its data with it", now.Status.Endpoint)
	}
	spec, none := r.wanted(ctx, db)
	if none != nil {
		return *none
	}
	err = r.Cloud.CreateDatabase(ctx, CloudName(db), CloudOwner(r.Cluster, db), spec)
	if err == nil || kit.CloudCodeOf(err) == kit.CloudAlreadyExists {
		return outcome{waits: true}
	}
	return refused(err)
}

// adjust brings a database that is available to what the spec asks for.
func (r *DatabaseReconciler) adjust(ctx context.Context, db *Database, has kit.CloudDatabase) outcome {
	if has.Engine != db.Spec.Engine {
		return stuck(EngineChanged, "the database runs %s, and cannot become %s", has.Engine, db.Spec.Engine)
	}
	spec, none := r.wanted(ctx, db)
	if none != nil {
		return *none
	}
	if has.Size == spec.Size && has.PasswordVersion == spec.PasswordVersion {
		return r.connect(ctx, db, has.Endpoint, spec.Password)
	}
	if err := r.Cloud.ModifyDatabase(ctx, CloudName(db), spec); err != nil {
		return refused(err)
	}
	return outcome{waits: true}
}

// wanted is what to ask the cloud for. If that is not known, none says why.
func (r *DatabaseReconciler) wanted(ctx context.Context, db *Database) (spec kit.CloudSpec, none *outcome) {
	secret := &corev1.Secret{}
	err := r.Get(ctx, client.ObjectKey{Namespace: db.Namespace, Name: db.Spec.PasswordSecret}, secret)
	if client.IgnoreNotFound(err) != nil {
		return kit.CloudSpec{}, &outcome{err: err}
	}
	if len(secret.Data[PasswordKey]) == 0 {
		o := stuck(PasswordMissing, "there is no Secret %s with a %s", db.Spec.PasswordSecret, PasswordKey)
		return kit.CloudSpec{}, &o
	}
	return kit.CloudSpec{
		Engine: db.Spec.Engine, Size: db.Spec.Size,
		Password: string(secret.Data[PasswordKey]), PasswordVersion: secret.ResourceVersion,
	}, nil
}
