package store

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// DefaultRetry is for a conflict among clients that change the same object: they
// all look again soon (client-go util/retry).
var DefaultRetry = kit.Backoff{Duration: 10 * time.Millisecond, Factor: 1, Jitter: 0.1, Steps: 5}

// DefaultBackoff is for a client that changes something beside the work of active
// controllers: it gives way for longer and longer (client-go util/retry).
var DefaultBackoff = kit.Backoff{Duration: 10 * time.Millisecond, Factor: 5, Jitter: 0.1, Steps: 4}

// RetryOnConflict calls f until it returns something other than a conflict, and
// returns that. The stub's documentation is the contract.
//
// The last conflict is kept because it is the only true answer: that the tries
// are used up, or that the context has ended, says how long we tried and not
// what stood in the way.
func RetryOnConflict(ctx context.Context, backoff kit.Backoff, f func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for {
		err := f()
		if !kit.IsConflict(err) {
			return err
		}
		wait := backoff.Step() // uses up a try, and all of them when it grows beyond its Cap
		if backoff.Steps <= 0 || !sleep(ctx, wait) {
			return err
		}
	}
}

// sleep waits for d and reports true, or reports false as soon as ctx is done.
// The second look is for the moment when both are: select picks one at random.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return ctx.Err() == nil
	}
}
