//go:build ignore

// Mistake: An Update writes the whole object, so it writes the status too.
// Killed by: nothing-new-nothing-written
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
	_, err := r.options.Databases.Update(ctx, next)
	if db.DeletionTimestamp != nil && kit.IsNotFound(err) {
		return nil
	}
	return err
}
