//go:build ignore

// Mistake: The panic is recovered where the goroutine begins. So the process lives, with a worker less, and a
//   request that is never done.
// Killed by: panic-becomes-an-error
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Controller) work(ctx context.Context) error {
	var workers sync.WaitGroup
	for range c.options.MaxConcurrentReconciles {
		workers.Go(func() {
			defer func() { _ = recover() }()
			for c.next(ctx) {
			}
		})
	}
	<-ctx.Done()
	c.queue.ShutDown()
	workers.Wait()
	return nil
}

func (c *Controller) Reconcile(ctx context.Context, request kit.Request) (result kit.Result, err error) {
	if c.options.ReconciliationTimeout > 0 {
		limited, cancel := context.WithTimeout(ctx, c.options.ReconciliationTimeout)
		defer cancel()
		ctx = limited
	}
	return c.options.Reconciler.Reconcile(ctx, request)
}
