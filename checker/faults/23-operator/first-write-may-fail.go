//go:build ignore

// Mistake: What people wait for is written first, and if that fails, the write of the rest says so. But often there is no rest.
// Killed by: api-errors-come-back
// Verdict: wrong-answer

package operator

import (
	"context"
	"errors"

	"github.com/controllerbook/controllerbook/labs/kit"
)

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
		o.message = c.Message
	}
	status, first := statusOf(db, o), db.DeepCopy()
	first.Status.Endpoint, first.Status.ObservedGeneration = status.Endpoint, status.ObservedGeneration
	if ready := kit.FindCondition(status.Conditions, Ready); ready != nil {
		SetCondition(&first.Status.Conditions, *ready)
	}
	if !same(db.Status, first.Status) {
		if stored, err := r.options.Status.UpdateStatus(ctx, first); err == nil {
			first = stored
		}
	}
	err := r.write(ctx, first, status)
	if err = errors.Join(o.err, err); err != nil {
		return kit.Result{}, err
	}
	return kit.Result{RequeueAfter: r.nextLook(o)}, nil
}
