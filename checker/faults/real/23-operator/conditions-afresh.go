//go:build ignore

// Mistake: The conditions of a status are those that the operator knows: another controller's are gone.
// Killed by: what-others-wrote-stays
// Verdict: wrong-answer

package operator

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DatabaseReconciler) write(ctx context.Context, db *kit.Database, status kit.DatabaseStatus) error {
	own := []kit.Condition{}
	for _, c := range status.Conditions {
		if c.Type == Ready || c.Type == Synced {
			own = append(own, c)
		}
	}
	status.Conditions = own
	if same(db.Status, status) {
		return nil
	}
	next := db.DeepCopy()
	next.Status = status
	_, err := r.options.Status.UpdateStatus(ctx, next)
	if db.DeletionTimestamp != nil && kit.IsNotFound(err) {
		return nil
	}
	return err
}
