package operator

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

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
func (r *DatabaseReconciler) report(ctx context.Context, db *Database, o outcome) (ctrl.Result, error) {
	var c *kit.CloudError
	isCloud := errors.As(o.err, &c)
	switch {
	case o.stale:
		return ctrl.Result{RequeueAfter: r.Poll}, nil
	case isCloud && c.Code == kit.CloudThrottled:
		return ctrl.Result{RequeueAfter: max(c.RetryAfter, r.Poll)}, nil
	case o.err != nil && !isCloud:
		return ctrl.Result{}, o.err
	case isCloud:
		o.message = c.Message // without the ID of the request, which is never the same
	}
	err := r.write(ctx, db, statusOf(db, o))
	if err = errors.Join(o.err, err); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: r.nextLook(o)}, nil
}

func (r *DatabaseReconciler) nextLook(o outcome) time.Duration {
	if o.waits {
		return r.Poll
	}
	return r.Resync
}

// write writes the status if it is new. Semantic compares times as moments.
func (r *DatabaseReconciler) write(ctx context.Context, db *Database, status DatabaseStatus) error {
	if equality.Semantic.DeepEqual(db.Status, status) {
		return nil
	}
	db.Status = status
	err := r.Status().Update(ctx, db)
	if !db.DeletionTimestamp.IsZero() {
		return client.IgnoreNotFound(err)
	}
	return err
}

// statusOf is what to report of an outcome. SetStatusCondition changes elements in place, so
// that it gets a copy.
func statusOf(db *Database, o outcome) DatabaseStatus {
	status := *db.Status.DeepCopy()
	status.ObservedGeneration = db.Generation
	if o.has.Endpoint != "" {
		status.Endpoint = o.has.Endpoint
	}
	set := func(conditionType string, holds bool, reason, message string) {
		c := metav1.Condition{Type: conditionType, Status: metav1.ConditionFalse, ObservedGeneration: db.Generation, Reason: reason, Message: message}
		if holds {
			c.Status = metav1.ConditionTrue
		}
		meta.SetStatusCondition(&status.Conditions, c)
	}
	switch {
	case !db.DeletionTimestamp.IsZero():
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
