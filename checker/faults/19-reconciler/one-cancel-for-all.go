//go:build ignore

// Mistake: The cancel of the timeout is a field of the controller: the reconcile that ends first ends the ctx of the one that began last.
// Killed by: reconcile-timeout
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"fmt"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Controller struct {
	options Options
	queue   kit.PriorityQueue[kit.Request]

	mu      sync.Mutex // guards everything below
	sources []Source   // those that came before Start
	ctx     context.Context
	cancel  context.CancelFunc // of the reconcile under way
}

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
		c.mu.Lock()
		c.cancel = cancel
		c.mu.Unlock()
		defer func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.cancel()
		}()
		ctx = limited
	}
	return c.options.Reconciler.Reconcile(ctx, request)
}
