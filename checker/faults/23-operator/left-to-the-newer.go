//go:build ignore

// Mistake: After a Conflict the Database is read afresh. If its status is of a greater generation, somebody else is at work on it.
// Killed by: api-errors-come-back
// Verdict: wrong-answer

package operator

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DatabaseReconciler) write(ctx context.Context, db *kit.Database, status kit.DatabaseStatus) error {
	if same(db.Status, status) {
		return nil
	}
	next := db.DeepCopy()
	next.Status = status
	_, err := r.options.Status.UpdateStatus(ctx, next)
	if kit.IsConflict(err) {
		fresh, failed := r.options.Databases.Get(ctx, db.Namespace, db.Name)
		if failed != nil {
			return failed
		}
		if fresh.Status.ObservedGeneration > db.Generation {
			return nil
		}
	}
	if db.DeletionTimestamp != nil && kit.IsNotFound(err) {
		return nil
	}
	return err
}
