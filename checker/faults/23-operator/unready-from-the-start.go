//go:build ignore

// Mistake: A Ready that is missing becomes False, whatever is known.
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
	set := func(conditionType string, holds bool, reason, message string) {
		c := kit.Condition{Type: conditionType, Status: kit.ConditionFalse, ObservedGeneration: db.Generation, Reason: reason, Message: message}
		if holds {
			c.Status = kit.ConditionTrue
		}
		SetCondition(&status.Conditions, c)
	}
	switch {
	case db.DeletionTimestamp != nil:
		set(Ready, false, Deleting, "")
	case o.err != nil && kit.FindCondition(db.Status.Conditions, Ready) != nil: // nobody knows; what was last known stands
	case o.has.State == kit.CloudAvailable || o.has.State == kit.CloudModifying:
		set(Ready, true, Available, "")
	case o.stuck != "":
		set(Ready, false, o.stuck, o.message)
	default:
		set(Ready, false, Creating, "")
	}
	switch {
	case o.err != nil:
		set(Synced, false, CloudError, o.message)
	case o.stuck != "":
		set(Synced, false, o.stuck, o.message)
	default:
		set(Synced, true, InSync, "")
	}
	return status
}
