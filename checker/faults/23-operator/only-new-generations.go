//go:build ignore

// Mistake: What was asked for once is there. The cloud is compared with the spec when the spec has changed.
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
	if db.Status.ObservedGeneration == db.Generation && has.PasswordVersion == spec.PasswordVersion {
		return r.connect(ctx, db, has.Endpoint, spec.Password)
	}
	if has.Size == spec.Size && has.PasswordVersion == spec.PasswordVersion {
		return r.connect(ctx, db, has.Endpoint, spec.Password)
	}
	if err := r.options.Cloud.ModifyDatabase(ctx, CloudName(db), spec); err != nil {
		return refused(err)
	}
	return outcome{waits: true}
}
