//go:build ignore

// Mistake: Watch and the end of Start take turns, so that no source is started when the controller has ended. A source whose Start blocks keeps the controller for ever.
// Killed by: stop-when-idle
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Controller struct {
	options Options
	queue   kit.PriorityQueue[kit.Request]
	turn    chan struct{}

	mu      sync.Mutex
	sources []Source
	ctx     context.Context
}

func New(options Options) *Controller {
	options.MaxConcurrentReconciles = max(options.MaxConcurrentReconciles, 1)
	if options.CacheSyncTimeout == 0 {
		options.CacheSyncTimeout = defaultSyncTimeout
	}
	return &Controller{options: options, queue: withPriorities(options.Queue), turn: make(chan struct{}, 1)}
}

func (c *Controller) Watch(sources ...Source) error {
	ctx := c.keep(sources)
	if ctx == nil {
		return nil
	}
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	var first error
	for _, s := range sources {
		if err := s.Start(ctx, c.queue); err != nil && first == nil {
			first = err
		}
	}
	return first
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
	c.queue.ShutDown()
	workers.Wait()
	c.turn <- struct{}{}
	return nil
}
