package operator

import (
	"context"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// DatabaseReconciler sees to it that the cloud has a database for each Database. The stub's
// documentation is the contract.
//
// It has no state of its own beside its options. So nothing is lost when it is killed, and
// Reconciles of different Databases share nothing that would need a lock.
type DatabaseReconciler struct {
	options Options
}

var _ kit.Reconciler = (*DatabaseReconciler)(nil)

// New returns a DatabaseReconciler.
func New(options Options) *DatabaseReconciler {
	if options.Poll <= 0 {
		options.Poll = 15 * time.Second
	}
	if options.Resync <= 0 {
		options.Resync = 10 * time.Minute
	}
	addIndex(options)
	return &DatabaseReconciler{options: options}
}

// Reconcile brings one Database nearer to what it asks for. Whatever it finds out becomes an
// outcome, and report makes status and Result of it: no other code decides when to come again.
func (r *DatabaseReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	cached, exists := r.options.DatabaseCache.GetByKey(request.String())
	switch {
	case !exists:
		return kit.Result{}, nil
	case cached.DeletionTimestamp != nil:
		return r.delete(ctx, cached)
	case slices.Contains(cached.Finalizers, Finalizer):
		return r.report(ctx, cached, r.sync(ctx, cached, r.readLive(cached)))
	}
	db := cached.DeepCopy()
	db.Finalizers = append(db.Finalizers, Finalizer)
	db, err := r.options.Databases.Update(ctx, db)
	if err != nil {
		return kit.Result{}, err
	}
	return r.report(ctx, db, r.sync(ctx, db, func(context.Context) (*kit.Database, error) { return db, nil }))
}

// live returns a Database as the API server has it.
type live func(ctx context.Context) (*kit.Database, error)

func (r *DatabaseReconciler) readLive(db *kit.Database) live {
	return func(ctx context.Context) (*kit.Database, error) {
		return r.options.Databases.Get(ctx, db.Namespace, db.Name)
	}
}

// sync compares what the spec asks for with what the cloud has, and does one step.
func (r *DatabaseReconciler) sync(ctx context.Context, db *kit.Database, live live) outcome {
	has, err := r.options.Cloud.GetDatabase(ctx, CloudName(db))
	switch {
	case kit.CloudCodeOf(err) == kit.CloudNotFound:
		return r.create(ctx, db, live)
	case err != nil:
		return outcome{err: err}
	case has.Owner != CloudOwner(r.options.Cluster, db):
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

// create creates the database, if the Database is still there to be its owner. The cache
// cannot know that: a deletion that it has not heard of would leave a database without one.
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
	err = r.options.Cloud.CreateDatabase(ctx, CloudName(db), CloudOwner(r.options.Cluster, db), spec)
	if err == nil || kit.CloudCodeOf(err) == kit.CloudAlreadyExists {
		return outcome{waits: true}
	}
	return refused(err)
}

// adjust brings a database that is available to what the spec asks for.
func (r *DatabaseReconciler) adjust(ctx context.Context, db *kit.Database, has kit.CloudDatabase) outcome {
	if has.Engine != db.Spec.Engine {
		return stuck(EngineChanged, "the database runs %s, and cannot become %s", has.Engine, db.Spec.Engine)
	}
	spec, ok := r.wanted(db)
	if !ok {
		return passwordMissing(db)
	}
	if has.Size == spec.Size && has.PasswordVersion == spec.PasswordVersion {
		return r.connect(ctx, db, has.Endpoint, spec.Password)
	}
	if err := r.options.Cloud.ModifyDatabase(ctx, CloudName(db), spec); err != nil {
		return refused(err)
	}
	return outcome{waits: true}
}

// wanted is what to ask the cloud for, and false if there is no password.
func (r *DatabaseReconciler) wanted(db *kit.Database) (kit.CloudSpec, bool) {
	secret, exists := r.options.SecretCache.GetByKey(db.Namespace + "/" + db.Spec.PasswordSecret)
	if !exists || len(secret.Data[PasswordKey]) == 0 {
		return kit.CloudSpec{}, false
	}
	return kit.CloudSpec{
		Engine: db.Spec.Engine, Size: db.Spec.Size,
		Password: string(secret.Data[PasswordKey]), PasswordVersion: secret.ResourceVersion,
	}, true
}

func passwordMissing(db *kit.Database) outcome {
	return stuck(PasswordMissing, "there is no Secret %s with a %s", db.Spec.PasswordSecret, PasswordKey)
}
