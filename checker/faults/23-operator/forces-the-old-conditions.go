//go:build ignore

// Mistake: After a Conflict the status that was computed goes into the fresh object.
// Killed by: late-cache-moves-no-time
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
		if next, err = r.options.Databases.Get(ctx, db.Namespace, db.Name); err != nil {
			return err
		}
		next.Status = status
		_, err = r.options.Status.UpdateStatus(ctx, next)
	}
	if db.DeletionTimestamp != nil && kit.IsNotFound(err) {
		return nil
	}
	return err
}
