//go:build ignore

// Mistake: After a Conflict the Database is read afresh, and one that cannot be read is gone.
// Killed by: api-errors-come-back
// Verdict: wrong-answer

package operator

import (
	"context"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DatabaseReconciler) release(ctx context.Context, db *kit.Database) (kit.Result, error) {
	uid := db.UID
	for {
		db = db.DeepCopy()
		db.Finalizers = slices.DeleteFunc(db.Finalizers, func(f string) bool { return f == Finalizer })
		_, err := r.options.Databases.Update(ctx, db)
		switch {
		case kit.IsNotFound(err):
			return kit.Result{}, nil
		case !kit.IsConflict(err):
			return kit.Result{}, err
		}
		if db, err = r.options.Databases.Get(ctx, db.Namespace, db.Name); err != nil || db.UID != uid {
			return kit.Result{}, nil
		}
	}
}
