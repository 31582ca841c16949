package operator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// outcome is what became of one Reconcile. At most one of stale, waits, stuck and err says
// something; if none does, the Database is in sync.
type outcome struct {
	has kit.CloudDatabase // what the cloud has of ours, as far as that is known

	stale   bool   // the cache was wrong about the Database itself
	waits   bool   // the cloud is at work
	stuck   string // the reason
	message string // of stuck
	err     error
}

func stuck(reason, format string, args ...any) outcome {
	return outcome{stuck: reason, message: fmt.Sprintf(format, args...)}
}

// refused is the outcome of a call by which the cloud was to do something.
func refused(err error) outcome {
	var c *kit.CloudError
	switch {
	case !errors.As(err, &c):
	case c.Code == kit.CloudBusy:
		return outcome{waits: true}
	case c.Code == kit.CloudInvalid:
		return outcome{stuck: Invalid, message: c.Message}
	}
	return outcome{err: err}
}

// report writes the status and says when to come again.
func (r *DatabaseReconciler) report(ctx context.Context, db *kit.Database, o outcome) (kit.Result, error) {
	var c *kit.CloudError
	isCloud := errors.As(o.err, &c)
	switch {
	case o.stale:
		return kit.Result{RequeueAfter: r.options.Poll}, nil
	case isCloud && c.Code == kit.CloudThrottled:
		return kit.Result{RequeueAfter: max(c.RetryAfter, r.options.Poll)}, nil
	case o.err != nil && !isCloud:
		return kit.Result{}, o.err
	case isCloud:
		o.message = c.Message // without the ID of the request, which is never the same
	}
	err := r.write(ctx, db, statusOf(db, o))
	if err = errors.Join(o.err, err); err != nil {
		return kit.Result{}, err
	}
	return kit.Result{RequeueAfter: r.nextLook(o)}, nil
}

func (r *DatabaseReconciler) nextLook(o outcome) time.Duration {
	if o.waits {
		return r.options.Poll
	}
	return r.options.Resync
}

// write writes the status if it is new. A Conflict means that the cache was behind; the next
// Reconcile sees more, and begins from there.
func (r *DatabaseReconciler) write(ctx context.Context, db *kit.Database, status kit.DatabaseStatus) error {
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

func same(a, b kit.DatabaseStatus) bool {
	return a.ObservedGeneration == b.ObservedGeneration && a.Endpoint == b.Endpoint && slices.EqualFunc(a.Conditions, b.Conditions, sameCondition)
}

// sameCondition compares times as moments: two values may name one moment in two zones.
func sameCondition(a, b kit.Condition) bool {
	at := a.LastTransitionTime.Equal(b.LastTransitionTime)
	a.LastTransitionTime = b.LastTransitionTime
	return at && a == b
}

// statusOf is what to report of an outcome.
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
	case o.err != nil: // nobody knows; what was last known stands
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
