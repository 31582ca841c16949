package operator

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// letGo takes the finalizer off, and reads the Database afresh after a Conflict.
func (r *DatabaseReconciler) letGo(ctx context.Context, db *kit.Database) (kit.Result, error) {
	uid := db.UID
	for {
		kept := []string{}
		for _, f := range db.Finalizers {
			if f != Finalizer {
				kept = append(kept, f)
			}
		}
		db.Finalizers = kept
		_, err := r.o.Databases.Update(ctx, db)
		if !kit.IsConflict(err) {
			return kit.Result{}, ignoreNotFound(err)
		}
		if db, err = r.o.Databases.Get(ctx, db.Namespace, db.Name); err != nil || db.UID != uid {
			return kit.Result{}, ignoreNotFound(err)
		}
	}
}

func ignoreNotFound(err error) error {
	if kit.IsNotFound(err) {
		return nil
	}
	return err
}
