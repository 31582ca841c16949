//go:build ignore

// Mistake: More than four Databases at a time are too many for the cloud. The others wait for them in their workers.
// Killed by: databases-side-by-side
// Verdict: wrong-answer

package operator

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

var slots = make(chan struct{}, 4)

func (r *DatabaseReconciler) sync(ctx context.Context, db *kit.Database, live live) outcome {
	slots <- struct{}{}
	defer func() { <-slots }()
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
