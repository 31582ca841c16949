//go:build ignore

// Mistake: Where nobody knows whether the database is ready the zero condition says so. It has no Type, and stands beside the others.
// Killed by: same-error-same-status
// Verdict: wrong-answer

package operator

import "github.com/controllerbook/controllerbook/labs/kit"

func statusOf(db *kit.Database, o outcome) kit.DatabaseStatus {
	status := db.Status
	status.ObservedGeneration = db.Generation
	if o.has.Endpoint != "" {
		status.Endpoint = o.has.Endpoint
	}
	generation := db.Generation
	isReady := kit.Condition{Type: Ready, Status: kit.ConditionFalse, Reason: Creating, ObservedGeneration: generation}
	isSynced := kit.Condition{Type: Synced, Status: kit.ConditionTrue, Reason: InSync, ObservedGeneration: generation}
	switch {
	case db.DeletionTimestamp != nil:
		isReady.Reason = Deleting
	case o.err != nil:
		isReady = kit.Condition{}
	case o.has.State == kit.CloudAvailable || o.has.State == kit.CloudModifying:
		isReady.Status, isReady.Reason = kit.ConditionTrue, Available
	case o.stuck != "":
		isReady.Reason, isReady.Message = o.stuck, o.message
	}
	switch {
	case o.err != nil:
		isSynced.Status, isSynced.Reason, isSynced.Message = kit.ConditionFalse, CloudError, o.message
	case o.stuck != "":
		isSynced.Status, isSynced.Reason, isSynced.Message = kit.ConditionFalse, o.stuck, o.message
	}
	SetCondition(&status.Conditions, isReady)
	SetCondition(&status.Conditions, isSynced)
	return status
}
