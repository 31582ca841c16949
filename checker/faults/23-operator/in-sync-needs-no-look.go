//go:build ignore

// Mistake: A Database that is added and whose status says that all is well needs no look. So after a restart nobody comes back to it.
// Killed by: own-status-wakes-nobody
// Verdict: wrong-answer

package operator

import "github.com/controllerbook/controllerbook/labs/kit"

func (r *DatabaseReconciler) DatabaseHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Database] {
	return kit.ResourceEventHandlerFuncs[*kit.Database]{
		AddFunc: func(db *kit.Database, _ bool) {
			c := kit.FindCondition(db.Status.Conditions, Synced)
			settled := c != nil && c.Status == kit.ConditionTrue && c.ObservedGeneration == db.Generation && db.Status.Endpoint != ""
			if !settled || db.DeletionTimestamp != nil {
				enqueue(kit.RequestFor(db))
			}
		},
		UpdateFunc: func(before, after *kit.Database) {
			if !echo(before, after) {
				enqueue(kit.RequestFor(after))
			}
		},
	}
}
