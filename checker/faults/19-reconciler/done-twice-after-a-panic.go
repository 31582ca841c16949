//go:build ignore

// Mistake: Where the panic is recovered nobody knows whether Done was deferred before, so it is called there, too.
// Killed by: done-comes-last
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"errors"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Controller) next(ctx context.Context) bool {
	request, priority, shutdown := c.queue.GetWithPriority()
	if shutdown {
		return false
	}
	defer c.queue.Done(request)
	result, err := c.Reconcile(ctx, request)
	var p panicked
	switch {
	case errors.As(err, &p):
		c.failed(request, priority, err)
		c.queue.Done(request)
	case err != nil:
		c.failed(request, priority, err)
	default:
		c.settle(request, priority, result)
	}
	return true
}

// panicked is an error that was made from a panic.
type panicked struct{ error }

func (c *Controller) Reconcile(ctx context.Context, request kit.Request) (result kit.Result, err error) {
	if c.options.RecoverPanic == nil || *c.options.RecoverPanic {
		defer func() {
			if p := recover(); p != nil {
				result, err = kit.Result{}, panicked{fmt.Errorf("panic: %v [recovered]", p)}
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
