package operator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// DatabaseReconciler sees to it that the cloud has a database for each Database, and none
// for those that are gone. It starts no goroutine that outlives a call. What it must not
// forget stands in the API server or in the cloud: it may be killed at any moment, and then
// a new one goes on.
type DatabaseReconciler struct {
	Options
}

var _ kit.Reconciler = (*DatabaseReconciler)(nil)

// New returns a DatabaseReconciler. It may add indices to the caches, under names of its
// own; several reconcilers may be made over one cache, one after the other.
func New(options Options) *DatabaseReconciler {
	if options.Poll == 0 {
		options.Poll = 15 * time.Second
	}
	if options.Resync == 0 {
		options.Resync = 10 * time.Minute
	}
	addIndex(options.DatabaseCache)
	return &DatabaseReconciler{options}
}

// Reconcile lets the steps go by, until one ends it, and reports how.
func (r *DatabaseReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	cached, exists := r.DatabaseCache.GetByKey(request.String())
	if !exists {
		return kit.Result{}, nil
	}
	v := &visit{Options: r.Options, ctx: ctx, db: cached.DeepCopy()}
	steps := living
	if v.db.DeletionTimestamp != nil {
		steps = leaving
	}
	end := &ending{after: v.later(), report: true}
	for _, step := range steps {
		if e := step(v); e != nil {
			end = e
			break
		}
	}
	if end.report {
		end = v.write(end)
	}
	if end.err != nil {
		return kit.Result{}, end.err
	}
	return kit.Result{RequeueAfter: end.after}, nil
}

// living and leaving are what a Reconcile does, in order. Each step is content, and then it
// returns nil and the next one begins, or it ends the Reconcile. If all are content, the
// Database is in sync.
var (
	living = []func(*visit) *ending{
		(*visit).hold, (*visit).look,
		(*visit).name, (*visit).failed, (*visit).work, (*visit).create,
		(*visit).engine, (*visit).secret, (*visit).modify,
		(*visit).connect,
	}
	leaving = []func(*visit) *ending{
		(*visit).held, (*visit).look, (*visit).leaveStrangers, (*visit).tearDown,
	}
)

// A visit is one Reconcile of one Database, and what its steps have found out so far.
type visit struct {
	Options
	ctx   context.Context
	db    *kit.Database // our own copy, of the cache or of the API server
	fresh bool          // db comes from the API server

	answer *answer // of GetDatabase; nil before
	looked bool    // it is no failure
	found  bool    // with a database
	cloud  kit.CloudDatabase

	password *kit.Secret
}

// An answer is what GetDatabase has returned.
type answer struct {
	cloud kit.CloudDatabase
	err   error
}

// An ending is how a Reconcile ends. The zero value ends it for good.
type ending struct {
	after   time.Duration
	err     error
	report  bool            // write the status
	reason  string          // of what the Database is stuck on
	message string          // of that
	failure *kit.CloudError // of a call that has failed
}

var over = &ending{}

// soon is half of Poll, rounded up.
func (v *visit) soon() time.Duration { return (v.Poll + 1) / 2 }

// later is Resync, or up to a tenth less: each Database has a share of its own, so that those
// that began together do not ask the cloud together for ever.
func (v *visit) later() time.Duration {
	share := 0
	for _, b := range []byte(v.db.UID) {
		share = (31*share + int(b)) % 100
	}
	return v.Resync - (v.Resync-v.Poll)/10*time.Duration(share)/100
}

func (v *visit) waits() *ending { return &ending{after: v.soon(), report: true} }

func (v *visit) stuck(reason, message string) *ending {
	return &ending{after: v.later(), report: true, reason: reason, message: message}
}

// again ends a Reconcile because a cache is behind.
func (v *visit) again() *ending { return &ending{after: v.soon()} }

// apiError ends a Reconcile because a request to the API server has failed.
func (v *visit) apiError(err error) *ending {
	if kit.IsConflict(err) || kit.IsAlreadyExists(err) || kit.IsNotFound(err) {
		return v.again()
	}
	return &ending{err: err}
}

// cloudError ends a Reconcile because of a call of the cloud.
func (v *visit) cloudError(err error) *ending {
	var c *kit.CloudError
	if !errors.As(err, &c) {
		return &ending{err: err}
	}
	switch c.Code {
	case kit.CloudThrottled:
		return &ending{after: max(c.RetryAfter, 0) + v.Poll}
	case kit.CloudBusy:
		if !v.looked {
			return v.again()
		}
		return v.waits()
	}
	return &ending{err: fmt.Errorf("database %s: %w", CloudName(v.db), err), report: true, failure: c}
}

func (v *visit) ours() bool { return v.cloud.Owner == CloudOwner(v.Cluster, v.db) }

// hold is the step that writes Finalizer. Meanwhile it asks the cloud, for the next step.
func (v *visit) hold() *ending {
	if slices.Contains(v.db.Finalizers, Finalizer) {
		return nil
	}
	asked, name := make(chan struct{}), CloudName(v.db)
	go func() {
		defer close(asked)
		v.ask(name)
	}()
	v.db.Finalizers = append(v.db.Finalizers, Finalizer)
	stored, err := v.Databases.Update(v.ctx, v.db)
	<-asked
	if err != nil {
		return v.apiError(err)
	}
	v.db, v.fresh = stored, true
	return nil
}

// look is the step that asks the cloud, unless that has been done.
func (v *visit) look() *ending {
	if v.answer == nil {
		v.ask(CloudName(v.db))
	}
	if err := v.answer.err; err != nil && kit.CloudCodeOf(err) != kit.CloudNotFound {
		return v.cloudError(err)
	}
	v.cloud, v.looked, v.found = v.answer.cloud, true, v.answer.err == nil
	return nil
}

func (v *visit) ask(name string) {
	v.answer = &answer{}
	v.answer.cloud, v.answer.err = v.Cloud.GetDatabase(v.ctx, name)
}

// name is the step that ends where the name is somebody else's.
func (v *visit) name() *ending {
	if v.found && !v.ours() {
		return v.stuck(NameTaken, fmt.Sprintf("%s belongs to %s", v.cloud.Name, v.cloud.Owner))
	}
	return nil
}

// failed is the step that ends where the cloud has given up.
func (v *visit) failed() *ending {
	if v.found && v.cloud.State == kit.CloudFailed {
		return v.stuck(Failed, "the cloud could not make the database")
	}
	return nil
}

// work is the step that ends where the cloud is at work.
func (v *visit) work() *ending {
	switch v.cloud.State {
	case kit.CloudCreating, kit.CloudModifying, kit.CloudDeleting:
		return v.waits()
	}
	return nil
}

// create is the step that creates what is not there.
func (v *visit) create() *ending {
	if v.found {
		return nil
	}
	if e := v.read(); e != nil {
		return e
	}
	if v.db.Status.Endpoint != "" && v.db.Spec.OnLoss == kit.LossReport {
		return v.stuck(Lost, "the database has gone, and its data with it")
	}
	if e := v.secret(); e != nil {
		return e
	}
	err := v.Cloud.CreateDatabase(v.ctx, CloudName(v.db), CloudOwner(v.Cluster, v.db), v.spec())
	return v.begun(err, kit.CloudAlreadyExists)
}

// read makes sure that the API server itself has the Database, and wants it.
func (v *visit) read() *ending {
	if !v.fresh {
		stored, err := v.Databases.Get(v.ctx, v.db.Namespace, v.db.Name)
		if err != nil {
			return v.apiError(err)
		}
		if stored.UID != v.db.UID {
			return v.again()
		}
		v.db, v.fresh = stored, true
	}
	if v.db.DeletionTimestamp != nil || !slices.Contains(v.db.Finalizers, Finalizer) {
		return v.again()
	}
	return nil
}

// engine is the step that ends where the cloud has another engine than the spec.
func (v *visit) engine() *ending {
	if v.cloud.Engine != v.db.Spec.Engine {
		return v.stuck(EngineChanged, fmt.Sprintf("the database has the engine %s, and the cloud cannot change it", v.cloud.Engine))
	}
	return nil
}

// secret is the step that finds the password.
func (v *visit) secret() *ending {
	s, exists := v.SecretCache.GetByKey(kit.Request{Namespace: v.db.Namespace, Name: v.db.Spec.PasswordSecret}.String())
	if !exists || len(s.Data[PasswordKey]) == 0 {
		return v.stuck(PasswordMissing, fmt.Sprintf("there is no %s in a Secret %q", PasswordKey, v.db.Spec.PasswordSecret))
	}
	v.password = s
	return nil
}

// modify is the step that puts right what the cloud shows.
func (v *visit) modify() *ending {
	if v.cloud.Size == v.db.Spec.Size && v.cloud.PasswordVersion == v.password.ResourceVersion {
		return nil
	}
	return v.begun(v.Cloud.ModifyDatabase(v.ctx, CloudName(v.db), v.spec()), "")
}

func (v *visit) spec() kit.CloudSpec {
	return kit.CloudSpec{
		Engine: v.db.Spec.Engine, Size: v.db.Spec.Size,
		Password: string(v.password.Data[PasswordKey]), PasswordVersion: v.password.ResourceVersion,
	}
}

// begun ends a Reconcile that has asked the cloud for work. An answer with the code fine
// is as good as none.
func (v *visit) begun(err error, fine kit.CloudCode) *ending {
	var c *kit.CloudError
	switch {
	case err == nil, errors.As(err, &c) && c.Code == fine:
		return v.waits()
	case c != nil && c.Code == kit.CloudInvalid:
		return v.stuck(Invalid, c.Message)
	}
	return v.cloudError(err)
}
