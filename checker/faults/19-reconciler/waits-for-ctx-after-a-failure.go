//go:build ignore

// Mistake: A goroutine waits for ctx and shuts the queue down. When a source has failed and Start has returned, it still waits.
// Killed by: a-failed-start-ends-its-sources
// Verdict: goroutine-leak

package reconciler

import (
	"context"
	"sync"
)

func (c *Controller) Start(ctx context.Context) error {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	sources, err := c.begin(running)
	if err != nil {
		return err
	}
	go func() {
		<-ctx.Done()
		c.queue.ShutDown()
	}()
	if err := c.sync(running, sources); err != nil {
		return err
	}
	return c.work(ctx)
}

func (c *Controller) work(ctx context.Context) error {
	var workers sync.WaitGroup
	for range c.options.MaxConcurrentReconciles {
		workers.Go(func() {
			for c.next(ctx) {
			}
		})
	}
	<-ctx.Done()
	workers.Wait()
	return nil
}
