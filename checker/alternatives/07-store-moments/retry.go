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
	select {
	case <-ctx.Done():
		return ctx.Err()
	default:
	}
	var last error
	for backoff.Steps = max(backoff.Steps, 1); ; {
		if last = f(); !kit.IsConflict(last) {
			break
		}
		wait := backoff.Step()
		if backoff.Steps == 0 {
			break
		}
		pause, cancel := context.WithTimeout(ctx, wait)
		<-pause.Done()
		cancel()
		if ctx.Err() != nil {
			break
		}
	}
	return last
}
