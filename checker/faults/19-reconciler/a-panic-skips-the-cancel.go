//go:build ignore

// Mistake: The cancel of the timeout stands behind the call of the Reconciler, and is not deferred: after a panic the ctx and its timer stay.
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
	cancel := func() {}
	if c.options.ReconciliationTimeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, c.options.ReconciliationTimeout)
	}
	result, err = c.options.Reconciler.Reconcile(ctx, request)
	cancel()
	return result, err
}
