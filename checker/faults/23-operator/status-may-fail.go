//go:build ignore

// Mistake: The error of the status that could not be written is dropped.
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
	_, _ = r.options.Status.UpdateStatus(ctx, next)
	return nil
}
