//go:build ignore

// Mistake: The rest of the status is written though a call was throttled, and its error is returned, also a Conflict. That comes again in milliseconds.
// Killed by: same-error-same-status
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
		status := db.Status
		status.ObservedGeneration = db.Generation
		if o.has.Endpoint != "" {
			status.Endpoint = o.has.Endpoint
		}
		if err := r.write(ctx, db, status); err != nil {
			return kit.Result{}, err
		}
		return kit.Result{RequeueAfter: max(c.RetryAfter, r.options.Poll)}, nil
	case o.err != nil && !isCloud:
		return kit.Result{}, o.err
	case isCloud:
		o.message = c.Message
	}
	err := r.write(ctx, db, statusOf(db, o))
	if err = errors.Join(o.err, err); err != nil {
		return kit.Result{}, err
	}
	return kit.Result{RequeueAfter: r.nextLook(o)}, nil
}
