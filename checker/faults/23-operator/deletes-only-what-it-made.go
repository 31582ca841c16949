//go:build ignore

// Mistake: An operator deletes what it has created, and it remembers what that was.
// Killed by: killed-anywhere
// Verdict: wrong-answer

package operator

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type DatabaseReconciler struct {
	options Options
	made    map[string]bool
	mu      sync.Mutex
}

func New(options Options) *DatabaseReconciler {
	if options.Poll <= 0 {
		options.Poll = 15 * time.Second
	}
	if options.Resync <= 0 {
		options.Resync = 10 * time.Minute
	}
	addIndex(options)
	return &DatabaseReconciler{options: options, made: map[string]bool{}}
}

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
	r.remember(db.UID)
	err = r.options.Cloud.CreateDatabase(ctx, CloudName(db), CloudOwner(r.options.Cluster, db), spec)
	if err == nil || kit.CloudCodeOf(err) == kit.CloudAlreadyExists {
		return outcome{waits: true}
	}
	return refused(err)
}

func (r *DatabaseReconciler) delete(ctx context.Context, db *kit.Database) (kit.Result, error) {
	if !slices.Contains(db.Finalizers, Finalizer) {
		return kit.Result{}, nil
	}
	if !r.remembers(db.UID) {
		return r.release(ctx, db)
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

func (r *DatabaseReconciler) remember(uid string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.made[uid] = true
}

func (r *DatabaseReconciler) remembers(uid string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.made[uid]
}
