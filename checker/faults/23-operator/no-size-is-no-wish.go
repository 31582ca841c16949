//go:build ignore

// Mistake: A Size of 0 means that the spec does not ask for any, so what the cloud has is right.
// Killed by: drift-is-put-right
// Verdict: wrong-answer

package operator

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DatabaseReconciler) adjust(ctx context.Context, db *kit.Database, has kit.CloudDatabase) outcome {
	if has.Engine != db.Spec.Engine {
		return stuck(EngineChanged, "the database runs %s, and cannot become %s", has.Engine, db.Spec.Engine)
	}
	spec, ok := r.wanted(db)
	if !ok {
		return passwordMissing(db)
	}
	if (spec.Size == 0 || has.Size == spec.Size) && has.PasswordVersion == spec.PasswordVersion {
		return r.connect(ctx, db, has.Endpoint, spec.Password)
	}
	if err := r.options.Cloud.ModifyDatabase(ctx, CloudName(db), spec); err != nil {
		return refused(err)
	}
	return outcome{waits: true}
}
