//go:build ignore

// Mistake: Every error becomes CloudError, those of the API server too.
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
	case isCloud:
		o.message = c.Message // without the ID of the request, which is never the same
	}
	err := r.write(ctx, db, statusOf(db, o))
	if err = errors.Join(o.err, err); err != nil {
		return kit.Result{}, err
	}
	return kit.Result{RequeueAfter: r.nextLook(o)}, nil
}
