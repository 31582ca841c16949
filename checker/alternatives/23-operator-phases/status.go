package operator

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// note is a condition to set.
type note struct {
	conditionType string
	status        kit.ConditionStatus
	reason        string
	message       string
}

// leave writes the status, if one of the notes is new, and comes again. A Conflict has it read
// the Database afresh: the notes are then set on what stands there.
func (r *DatabaseReconciler) leave(ctx context.Context, db *kit.Database, after time.Duration, has *kit.CloudDatabase, notes ...note) (kit.Result, error) {
	generation, uid := db.Generation, db.UID
	for range 5 {
		changed := db.Status.ObservedGeneration < generation
		if changed {
			db.Status.ObservedGeneration = generation
		}
		for _, n := range notes {
			c := kit.Condition{Type: n.conditionType, Status: n.status, Reason: n.reason, Message: n.message, ObservedGeneration: generation}
			changed = SetCondition(&db.Status.Conditions, c) || changed
		}
		if has != nil && has.Endpoint != "" && db.Status.Endpoint != has.Endpoint {
			db.Status.Endpoint, changed = has.Endpoint, true
		}
		if !changed {
			return kit.Result{RequeueAfter: after}, nil
		}
		stored, err := r.o.Status.UpdateStatus(ctx, db)
		if err == nil {
			*db = *stored
			return kit.Result{RequeueAfter: after}, nil
		}
		if !kit.IsConflict(err) {
			return kit.Result{}, ignoreNotFound(err)
		}
		fresh, err := r.o.Databases.Get(ctx, db.Namespace, db.Name)
		if err != nil || fresh.UID != uid || fresh.Status.ObservedGeneration > generation {
			return kit.Result{RequeueAfter: r.o.Poll}, ignoreNotFound(err)
		}
		*db = *fresh
	}
	return kit.Result{RequeueAfter: r.o.Poll}, nil
}

// stuck leaves a Database to others.
func (r *DatabaseReconciler) stuck(ctx context.Context, db *kit.Database, has *kit.CloudDatabase, reason, message string) (kit.Result, error) {
	is := note{Ready, kit.ConditionFalse, reason, message}
	if has != nil && has.State == kit.CloudAvailable {
		is = note{Ready, kit.ConditionTrue, Available, ""}
	}
	return r.leave(ctx, db, r.o.Resync, has, is, note{Synced, kit.ConditionFalse, reason, message})
}

// cloudFailed is the way out after a call that has failed.
func (r *DatabaseReconciler) cloudFailed(ctx context.Context, db *kit.Database, err error) (kit.Result, error) {
	var c *kit.CloudError
	switch {
	case !errors.As(err, &c):
		return kit.Result{}, err
	case c.Code == kit.CloudThrottled:
		return kit.Result{RequeueAfter: max(c.RetryAfter, time.Second)}, nil
	}
	notes := []note{{Synced, kit.ConditionFalse, CloudError, string(c.Code) + ": " + c.Message}}
	if db.DeletionTimestamp != nil {
		notes = append(notes, note{Ready, kit.ConditionFalse, Deleting, ""})
	}
	if _, failed := r.leave(ctx, db, 0, nil, notes...); failed != nil {
		return kit.Result{}, errors.Join(err, failed)
	}
	return kit.Result{}, fmt.Errorf("cloud: %w", err)
}
