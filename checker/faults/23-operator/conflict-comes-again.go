//go:build ignore

// Mistake: After a Conflict the event of the other write has the Database come again. But a label wakes nobody.
// Killed by: api-errors-come-back
// Verdict: wrong-answer

package operator

import (
	"context"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DatabaseReconciler) release(ctx context.Context, db *kit.Database) (kit.Result, error) {
	db = db.DeepCopy()
	db.Finalizers = slices.DeleteFunc(db.Finalizers, func(f string) bool { return f == Finalizer })
	_, err := r.options.Databases.Update(ctx, db)
	if kit.IsNotFound(err) || kit.IsConflict(err) {
		err = nil
	}
	return kit.Result{}, err
}
