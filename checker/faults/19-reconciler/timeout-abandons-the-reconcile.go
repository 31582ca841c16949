//go:build ignore

// Mistake: A reconcile that does not end in time is left to itself, so that its worker can go on. It goes on
//   as well, beside the next one for its request.
// Killed by: reconcile-timeout
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Controller) Reconcile(ctx context.Context, request kit.Request) (result kit.Result, err error) {
	if c.options.RecoverPanic == nil || *c.options.RecoverPanic {
		defer func() {
			if p := recover(); p != nil {
				result, err = kit.Result{}, fmt.Errorf("panic: %v [recovered]", p)
			}
		}()
	}
	if c.options.ReconciliationTimeout > 0 {
		limited, cancel := context.WithTimeout(ctx, c.options.ReconciliationTimeout)
		defer cancel()
		ctx = limited
	}
	done := make(chan error, 1)
	go func() {
		r, e := c.options.Reconciler.Reconcile(ctx, request)
		if ctx.Err() == nil {
			result = r
		}
		done <- e
	}()
	select {
	case err = <-done:
		return result, err
	case <-ctx.Done():
		return kit.Result{}, ctx.Err()
	}
}
