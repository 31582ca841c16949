//go:build ignore

// Mistake: A source that cannot start ends the others, as it does when Start has it.
// Killed by: late-watch
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"errors"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Controller struct {
	options Options
	queue   kit.PriorityQueue[kit.Request]

	mu      sync.Mutex // guards everything below
	sources []Source   // those that came before Start
	ctx     context.Context
	stop    context.CancelFunc // of ctx; written before ctx
}

func (c *Controller) Watch(sources ...Source) error {
	ctx := c.keep(sources)
	if ctx == nil {
		return nil
	}
	var first error
	for _, s := range sources {
		if err := s.Start(ctx, c.queue); err != nil && first == nil {
			c.stop()
			first = err
		}
	}
	return first
}

func (c *Controller) begin(ctx context.Context) ([]Source, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx != nil {
		return nil, errors.New("reconciler: the controller was started more than once")
	}
	sources := c.sources
	c.ctx, c.stop = context.WithCancel(ctx)
	c.sources = nil
	return sources, nil
}
