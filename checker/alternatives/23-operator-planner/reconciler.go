package operator

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// DatabaseReconciler observes, plans and executes.
type DatabaseReconciler struct {
	Options
}

var _ kit.Reconciler = (*DatabaseReconciler)(nil)

// New returns a DatabaseReconciler.
func New(options Options) *DatabaseReconciler {
	if options.Poll == 0 {
		options.Poll = 15 * time.Second
	}
	if options.Resync == 0 {
		options.Resync = 10 * time.Minute
	}
	_ = options.DatabaseCache.AddIndexers(map[string]kit.IndexFunc[*kit.Database]{
		passwordIndex: func(db *kit.Database) ([]string, error) {
			return []string{kit.Request{Namespace: db.Namespace, Name: db.Spec.PasswordSecret}.String()}, nil
		},
	})
	return &DatabaseReconciler{options}
}

// world is all that a plan is made of.
type world struct {
	cluster    string
	db         *kit.Database
	has        *kit.CloudDatabase // nil for none, as far as GetDatabase knows
	password   *kit.Secret
	connection *kit.Secret
}

// action is a step.
type action int

// The steps. After wait and rest nothing is called.
const (
	addFinalizer action = iota
	removeFinalizer
	createDatabase
	modifyDatabase
	deleteDatabase
	createSecret
	updateSecret
	wait
	rest
	nothing
)

// Reconcile takes one step.
func (r *DatabaseReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	db, ok := r.DatabaseCache.GetByKey(request.String())
	if !ok {
		return kit.Result{}, nil
	}
	w := world{cluster: r.Cluster, db: db.DeepCopy()}
	if step := early(w); step == nothing {
		return kit.Result{}, nil
	} else if step == addFinalizer {
		w.db.Finalizers = append(w.db.Finalizers, Finalizer)
		_, err := r.Databases.Update(ctx, w.db)
		return kit.Result{RequeueAfter: time.Millisecond}, err
	}
	has, err := r.Cloud.GetDatabase(ctx, CloudName(db))
	if err == nil {
		w.has = &has
	} else if kit.CloudCodeOf(err) != kit.CloudNotFound {
		return r.finish(ctx, w, verdict{ready: asItWas, err: err})
	}
	w.password, _ = r.SecretCache.GetByKey(db.Namespace + "/" + db.Spec.PasswordSecret)
	w.connection, _ = r.SecretCache.GetByKey(db.Namespace + "/" + ConnectionName(db))
	step, v := plan(w)
	return r.execute(ctx, w, step, v)
}

// early is what can be decided before the cloud is asked.
func early(w world) action {
	switch mine := slices.Contains(w.db.Finalizers, Finalizer); {
	case w.db.DeletionTimestamp != nil && !mine:
		return nothing
	case !mine:
		return addFinalizer
	}
	return wait
}

// execute carries a step out.
func (r *DatabaseReconciler) execute(ctx context.Context, w world, step action, v verdict) (kit.Result, error) {
	var err error
	switch step {
	case removeFinalizer:
		return r.removeFinalizer(ctx, w.db)
	case createDatabase:
		fresh, err := r.Databases.Get(ctx, w.db.Namespace, w.db.Name)
		if err != nil {
			return kit.Result{}, err
		}
		if fresh.UID != w.db.UID || fresh.DeletionTimestamp != nil || !slices.Contains(fresh.Finalizers, Finalizer) {
			return kit.Result{}, errors.New("the cache is behind")
		}
		if fresh.Status.Endpoint != "" && fresh.Spec.OnLoss == kit.LossReport {
			return r.finish(ctx, w, stuckIn(w, Lost, "the database is gone"))
		}
		if len(secretPassword(w.password)) == 0 {
			return r.finish(ctx, w, stuckIn(w, PasswordMissing, "no password"))
		}
		err = r.Cloud.CreateDatabase(ctx, CloudName(w.db), CloudOwner(r.Cluster, w.db), wanted(w))
		if kit.CloudCodeOf(err) == kit.CloudAlreadyExists {
			err = nil
		}
		return r.after(ctx, w, v, err)
	case modifyDatabase:
		err = r.Cloud.ModifyDatabase(ctx, CloudName(w.db), wanted(w))
		return r.after(ctx, w, v, err)
	case deleteDatabase:
		err = r.Cloud.DeleteDatabase(ctx, CloudName(w.db))
		if kit.CloudCodeOf(err) == kit.CloudNotFound {
			return r.removeFinalizer(ctx, w.db)
		}
		return r.after(ctx, w, v, err)
	case createSecret:
		_, err = r.Secrets.Create(ctx, connectionOf(w))
	case updateSecret:
		secret := w.connection.DeepCopy()
		secret.Data = connectionOf(w).Data
		_, err = r.Secrets.Update(ctx, secret)
	}
	if err != nil {
		return kit.Result{}, err
	}
	return r.finish(ctx, w, v)
}

// after judges what the cloud has answered.
func (r *DatabaseReconciler) after(ctx context.Context, w world, v verdict, err error) (kit.Result, error) {
	var c *kit.CloudError
	if errors.As(err, &c) && c.Code == kit.CloudInvalid && w.db.DeletionTimestamp == nil {
		return r.finish(ctx, w, stuckIn(w, Invalid, c.Message))
	}
	if err != nil && kit.CloudCodeOf(err) != kit.CloudBusy {
		v = verdict{ready: asItWas, err: err}
	}
	return r.finish(ctx, w, v)
}

// wanted is what the cloud is asked for.
func wanted(w world) kit.CloudSpec {
	return kit.CloudSpec{
		Engine: w.db.Spec.Engine, Size: w.db.Spec.Size,
		Password: string(secretPassword(w.password)), PasswordVersion: w.password.ResourceVersion,
	}
}

func secretPassword(secret *kit.Secret) []byte {
	if secret == nil {
		return nil
	}
	return secret.Data[PasswordKey]
}
