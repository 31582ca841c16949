//go:build ignore

// Mistake: RecoverPanic has to be set; who does not set it, does not want it.
// Killed by: panic-becomes-an-error
// Verdict: panic

package reconciler

import (
	"context"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Controller) Reconcile(ctx context.Context, request kit.Request) (result kit.Result, err error) {
	if c.options.RecoverPanic != nil && *c.options.RecoverPanic {
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
	return c.options.Reconciler.Reconcile(ctx, request)
}
