//go:build ignore

// Mistake: The password is looked at first: nothing can be done without it.
// Killed by: stuck-is-no-storm
// Verdict: wrong-answer

package operator

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DatabaseReconciler) adjust(ctx context.Context, db *kit.Database, has kit.CloudDatabase) outcome {
	spec, ok := r.wanted(db)
	if !ok {
		return passwordMissing(db)
	}
	if has.Engine != db.Spec.Engine {
		return stuck(EngineChanged, "the database runs %s, and cannot become %s", has.Engine, db.Spec.Engine)
	}
	if has.Size == spec.Size && has.PasswordVersion == spec.PasswordVersion {
		return r.connect(ctx, db, has.Endpoint, spec.Password)
	}
	if err := r.options.Cloud.ModifyDatabase(ctx, CloudName(db), spec); err != nil {
		return refused(err)
	}
	return outcome{waits: true}
}
