package operator

import (
	"errors"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// write writes the status that says how a Reconcile ends, and returns how it ends then.
func (v *visit) write(end *ending) *ending {
	if !v.report(end) {
		return end
	}
	_, err := v.Status.UpdateStatus(v.ctx, v.db)
	if err == nil {
		return end
	}
	e := v.apiError(err)
	e.err = errors.Join(end.err, e.err)
	return e
}

// report brings the status up to date, and reports whether it has changed.
func (v *visit) report(end *ending) (changed bool) {
	status := &v.db.Status
	if v.found && v.ours() && v.cloud.Endpoint != "" && status.Endpoint != v.cloud.Endpoint {
		status.Endpoint, changed = v.cloud.Endpoint, true
	}
	if status.ObservedGeneration != v.db.Generation {
		status.ObservedGeneration, changed = v.db.Generation, true
	}
	for _, c := range []kit.Condition{v.ready(end), synced(end)} {
		if c.Type != "" {
			c.ObservedGeneration = v.db.Generation
			changed = SetCondition(&status.Conditions, c) || changed
		}
	}
	return changed
}

// ready is the condition Ready, the zero value where it stays as it was.
func (v *visit) ready(end *ending) kit.Condition {
	c := kit.Condition{Type: Ready, Status: kit.ConditionFalse}
	serves := v.cloud.State == kit.CloudAvailable || v.cloud.State == kit.CloudModifying
	switch {
	case v.db.DeletionTimestamp != nil:
		c.Reason, c.Message = Deleting, "the database is being deleted"
	case end.failure != nil:
		return kit.Condition{}
	case serves && v.ours():
		c.Status, c.Reason, c.Message = kit.ConditionTrue, Available, "the database can be used"
	case end.reason != "":
		c.Reason, c.Message = end.reason, end.message
	default:
		c.Reason, c.Message = Creating, "the database is being created"
	}
	return c
}

func synced(end *ending) kit.Condition {
	c := kit.Condition{Type: Synced, Status: kit.ConditionFalse}
	switch {
	case end.failure != nil:
		c.Reason, c.Message = CloudError, string(end.failure.Code)+": "+end.failure.Message
	case end.reason != "":
		c.Reason, c.Message = end.reason, end.message
	default:
		c.Status, c.Reason, c.Message = kit.ConditionTrue, InSync, "the cloud has what the spec asks for, or is at work on it"
	}
	return c
}
