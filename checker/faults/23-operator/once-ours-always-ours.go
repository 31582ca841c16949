//go:build ignore

// Mistake: A database that was ours stays ours, so its Owner is looked at once.
// Killed by: strangers-are-left-alone
// Verdict: wrong-answer

package operator

import (
	"context"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type DatabaseReconciler struct {
	options Options
	ours    sync.Map // names in the cloud
}

func (r *DatabaseReconciler) sync(ctx context.Context, db *kit.Database, live live) outcome {
	has, err := r.options.Cloud.GetDatabase(ctx, CloudName(db))
	_, known := r.ours.Load(has.Name)
	switch {
	case kit.CloudCodeOf(err) == kit.CloudNotFound:
		return r.create(ctx, db, live)
	case err != nil:
		return outcome{err: err}
	case !known && has.Owner != CloudOwner(r.options.Cluster, db):
		return stuck(NameTaken, "the cloud has a database %s that belongs to %s", has.Name, has.Owner)
	}
	r.ours.Store(has.Name, true)
	switch {
	case has.State == kit.CloudFailed:
		return stuck(Failed, "the cloud could not make the database")
	case has.State != kit.CloudAvailable:
		return outcome{has: has, waits: true}
	}
	o := r.adjust(ctx, db, has)
	o.has = has
	return o
}
