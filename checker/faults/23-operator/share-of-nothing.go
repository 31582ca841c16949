//go:build ignore

// Mistake: Each Database comes again at a time of its own, by a hash of its UID. For one in a hundred the share is zero, and divided by.
// Killed by: stuck-is-no-storm
// Verdict: panic

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
	if o.waits {
		return kit.Result{RequeueAfter: r.options.Poll}, nil
	}
	share := 0
	for _, b := range []byte(db.UID) {
		share = (31*share + int(b)) % 100
	}
	return kit.Result{RequeueAfter: r.options.Resync - (r.options.Resync-r.options.Poll)/10/time.Duration(share)}, nil
}
