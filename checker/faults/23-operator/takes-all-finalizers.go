//go:build ignore

// Mistake: The last thing to do is to empty the list of finalizers.
// Killed by: deletes-and-then-lets-go
// Verdict: wrong-answer

package operator

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DatabaseReconciler) release(ctx context.Context, db *kit.Database) (kit.Result, error) {
	db = db.DeepCopy()
	db.Finalizers = nil
	_, err := r.options.Databases.Update(ctx, db)
	if kit.IsNotFound(err) {
		err = nil
	}
	return kit.Result{}, err
}
