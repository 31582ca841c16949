//go:build ignore

// Mistake: One goroutine takes requests, and the one that each of them gets adds itself to the WaitGroup.
// Killed by: stop-lets-reconciles-finish
// Verdict: data-race
// Without: Controller.next

package reconciler

import (
	"context"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Controller) work(ctx context.Context) error {
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		c.dispatch(ctx)
	}()
	<-ctx.Done()
	c.queue.ShutDown()
	<-finished
	return nil
}

func (c *Controller) dispatch(ctx context.Context) {
	slots := make(chan struct{}, c.options.MaxConcurrentReconciles)
	var running sync.WaitGroup
	for {
		slots <- struct{}{}
		request, priority, shutdown := c.queue.GetWithPriority()
		if shutdown {
			running.Wait()
			return
		}
		go func() {
			running.Add(1)
			defer running.Done()
			c.one(ctx, request, priority)
			<-slots
		}()
	}
}

func (c *Controller) one(ctx context.Context, request kit.Request, priority int) {
	defer c.queue.Done(request)
	result, err := c.Reconcile(ctx, request)
	if err != nil {
		c.failed(request, priority, err)
	} else {
		c.settle(request, priority, result)
	}
}
