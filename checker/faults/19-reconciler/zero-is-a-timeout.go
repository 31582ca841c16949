//go:build ignore

// Mistake: context.WithTimeout is called in any case, and with 0 each ctx is done before it is used.
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
	if c.options.ReconciliationTimeout >= 0 {
		limited, cancel := context.WithTimeout(ctx, c.options.ReconciliationTimeout)
		defer cancel()
		ctx = limited
	}
	return c.options.Reconciler.Reconcile(ctx, request)
}
