package store

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// DefaultRetry is for a conflict among clients that change the same object: they
// all try again soon (client-go util/retry).
var DefaultRetry = kit.Backoff{Duration: 10 * time.Millisecond, Factor: 1, Jitter: 0.1, Steps: 5}

// DefaultBackoff is for a client that changes something that active controllers work
// on: it waits longer and longer (client-go util/retry).
var DefaultBackoff = kit.Backoff{Duration: 10 * time.Millisecond, Factor: 5, Jitter: 0.1, Steps: 4}

// RetryOnConflict calls f until it returns something other than a conflict, and returns
// that: nil, or the error exactly as f returned it.
func RetryOnConflict(ctx context.Context, backoff kit.Backoff, f func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for {
		err := f()
		if !kit.IsConflict(err) {
			return err
		}
		wait := backoff.Step()
		if backoff.Steps <= 0 || !sleep(ctx, wait) {
			return err
		}
	}
}

// sleep reports whether it was not interrupted by the end of ctx.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
	return ctx.Err() == nil
}
