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

// RetryOnConflict calls f until it returns something other than a conflict, and
// returns that: nil, or the error exactly as f returned it. kit.IsConflict says what
// is a conflict. f has to read the object anew on every call, change it,
// update it and return the error of the update.
//
// If f returns nothing but conflicts, it is called backoff.Steps times, and once if that
// is zero or less: nil for a write that was never tried would be a lie. It is called
// fewer times only if Step uses up all tries at once, as it does when the next wait would
// grow beyond the Cap (see kit.Backoff), or if ctx ends. Between two calls RetryOnConflict waits for
// backoff.Step(). When the tries are used up, by the Cap too, it returns at once, with
// the last conflict exactly as f returned it, and not with an error of its own about
// having given up.
//
// If ctx is done before the first call, f is not called and the result is
// ctx.Err(). If ctx ends later, f is not called again and RetryOnConflict returns
// the last conflict, at once even if it was waiting. It does not give up before that, even
// if ctx's deadline is nearer than the end of the wait. A call of f that is under way then
// is waited for, and anything but a conflict is returned as ever.
func RetryOnConflict(ctx context.Context, backoff kit.Backoff, f func() error) error {
	panic(kit.TODO("RetryOnConflict"))
}
