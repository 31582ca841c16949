package operator

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// readiness is what is to become of Ready.
type readiness int

const (
	asItWas readiness = iota
	yes
	no
)

// verdict is what a plan says of the Database.
type verdict struct {
	ready   readiness
	reason  string // of Ready
	stuck   string // of Synced, "" where nothing is in the way
	message string
	waits   bool
	err     error
}

// plan is the one next step. It calls nothing and nobody.
func plan(w world) (action, verdict) {
	switch {
	case w.db.DeletionTimestamp != nil:
		return planEnd(w)
	case w.has == nil:
		return createDatabase, verdict{ready: no, reason: Creating, waits: true}
	case w.has.Owner != CloudOwner(w.cluster, w.db):
		w.has = nil
		return rest, stuckIn(w, NameTaken, "somebody else has it")
	case w.has.State == kit.CloudFailed:
		return rest, stuckIn(w, Failed, "the cloud has failed")
	case w.has.State == kit.CloudModifying:
		return wait, verdict{ready: yes, reason: Available, waits: true}
	case w.has.State != kit.CloudAvailable:
		return wait, verdict{ready: no, reason: Creating, waits: true}
	case w.has.Engine != w.db.Spec.Engine:
		return rest, stuckIn(w, EngineChanged, "the engine cannot be changed")
	case len(secretPassword(w.password)) == 0:
		return rest, stuckIn(w, PasswordMissing, "no password")
	case w.has.Size != w.db.Spec.Size || w.has.PasswordVersion != w.password.ResourceVersion:
		return modifyDatabase, verdict{ready: yes, reason: Available, waits: true}
	}
	good := verdict{ready: yes, reason: Available}
	switch {
	case w.connection == nil:
		return createSecret, good
	case w.connection.ControllerOf() == nil || w.connection.ControllerOf().UID != w.db.UID:
		return rest, stuckIn(w, SecretTaken, "somebody else has the Secret")
	case !maps.EqualFunc(w.connection.Data, connectionOf(w).Data, bytes.Equal):
		return updateSecret, good
	}
	return rest, good
}

// stuckIn is stuck, ready or not.
func stuckIn(w world, reason, message string) verdict {
	if w.has != nil && (w.has.State == kit.CloudAvailable || w.has.State == kit.CloudModifying) {
		return verdict{ready: yes, reason: Available, stuck: reason, message: message}
	}
	return verdict{ready: no, reason: reason, stuck: reason, message: message}
}

// finish reports.
func (r *DatabaseReconciler) finish(ctx context.Context, w world, v verdict) (kit.Result, error) {
	var c *kit.CloudError
	if errors.As(v.err, &c) {
		if c.Code == kit.CloudThrottled {
			return kit.Result{RequeueAfter: c.RetryAfter + r.Poll/2}, nil
		}
		v.stuck, v.message = CloudError, c.Message
	} else if v.err != nil {
		return kit.Result{}, v.err
	}
	next := w.db.DeepCopy()
	next.Status.ObservedGeneration = w.db.Generation
	if w.has != nil && w.has.Endpoint != "" && w.has.Owner == CloudOwner(r.Cluster, w.db) {
		next.Status.Endpoint = w.has.Endpoint
	}
	if w.db.DeletionTimestamp != nil {
		v.ready, v.reason = no, Deleting
	}
	generation := w.db.Generation
	switch v.ready {
	case yes:
		SetCondition(&next.Status.Conditions, kit.Condition{Type: Ready, Status: kit.ConditionTrue, Reason: v.reason, ObservedGeneration: generation})
	case no:
		SetCondition(&next.Status.Conditions, kit.Condition{Type: Ready, Status: kit.ConditionFalse, Reason: v.reason, ObservedGeneration: generation})
	}
	if v.stuck == "" {
		SetCondition(&next.Status.Conditions, kit.Condition{Type: Synced, Status: kit.ConditionTrue, Reason: InSync, ObservedGeneration: generation})
	} else {
		SetCondition(&next.Status.Conditions, kit.Condition{Type: Synced, Status: kit.ConditionFalse, Reason: v.stuck, Message: v.message, ObservedGeneration: generation})
	}
	if !sameStatus(next.Status, w.db.Status) {
		if _, err := r.Status.UpdateStatus(ctx, next); kit.IsConflict(err) && v.err == nil {
			return kit.Result{RequeueAfter: r.Poll / 3}, nil
		} else if err != nil && v.err == nil {
			return kit.Result{}, err
		}
	}
	switch {
	case v.err != nil:
		return kit.Result{}, v.err
	case v.waits:
		return kit.Result{RequeueAfter: r.Poll / 3}, nil
	}
	return kit.Result{RequeueAfter: (r.Poll + r.Resync) / 2}, nil
}

func sameStatus(a, b kit.DatabaseStatus) bool {
	return a.ObservedGeneration == b.ObservedGeneration && a.Endpoint == b.Endpoint && slices.EqualFunc(a.Conditions, b.Conditions, func(x, y kit.Condition) bool {
		moment := x.LastTransitionTime.Equal(y.LastTransitionTime)
		x.LastTransitionTime = y.LastTransitionTime
		return moment && x == y
	})
}
