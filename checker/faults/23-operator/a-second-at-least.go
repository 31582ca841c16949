//go:build ignore

// Mistake: A second is short enough, whatever Poll is.
// Killed by: retry-after-is-obeyed
// Verdict: wrong-answer

package operator

import (
	"context"
	"errors"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DatabaseReconciler) report(ctx context.Context, db *kit.Database, o outcome) (kit.Result, error) {
	var c *kit.CloudError
	isCloud := errors.As(o.err, &c)
	switch {
	case o.stale:
		return kit.Result{RequeueAfter: r.options.Poll}, nil
	case isCloud && c.Code == kit.CloudThrottled:
		return kit.Result{RequeueAfter: max(c.RetryAfter, time.Second)}, nil
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
