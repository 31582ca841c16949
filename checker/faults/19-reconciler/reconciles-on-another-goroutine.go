//go:build ignore

// Mistake: Each call has a goroutine of its own, for which Reconcile waits; a Reconciler that ends its goroutine ends another one than it meant.
// Killed by: reconcile-timeout
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Controller) Reconcile(ctx context.Context, request kit.Request) (result kit.Result, err error) {
	if c.options.ReconciliationTimeout > 0 {
		limited, cancel := context.WithTimeout(ctx, c.options.ReconciliationTimeout)
		defer cancel()
		ctx = limited
	}
	recovers := c.options.RecoverPanic == nil || *c.options.RecoverPanic
	finished := make(chan any)
	go func() {
		var value any
		defer func() { finished <- value }()
		defer func() { value = recover() }()
		result, err = c.options.Reconciler.Reconcile(ctx, request)
	}()
	p := <-finished
	if p != nil && !recovers {
		panic(p)
	}
	if p != nil {
		result, err = kit.Result{}, fmt.Errorf("panic: %v [recovered]", p)
	}
	return result, err
}
