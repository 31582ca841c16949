//go:build ignore

// Mistake: The ctx with the timeout is never cancelled. It ends when the timeout is over, long after most
//   reconciles have returned, and until then it and its timer are kept for each of them.
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
		ctx, _ = context.WithTimeout(ctx, c.options.ReconciliationTimeout)
	}
	return c.options.Reconciler.Reconcile(ctx, request)
}
