//go:build ignore

// Mistake: While Start waits for its sources, Watch only keeps what it gets. Start starts that later, and its errors are lost.
// Killed by: watch-while-starting
// Verdict: wrong-answer

package reconciler

import "context"

type putOff struct{ context.Context }

func (c *Controller) Watch(sources ...Source) error {
	c.mu.Lock()
	_, syncing := c.ctx.(putOff)
	if c.ctx == nil || syncing {
		c.sources = append(c.sources, sources...)
		c.mu.Unlock()
		return nil
	}
	ctx := c.ctx
	c.mu.Unlock()
	var first error
	for _, s := range sources {
		if err := s.Start(ctx, c.queue); err != nil && first == nil {
			first = err
		}
	}
	return first
}

func (c *Controller) Start(ctx context.Context) error {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	sources, err := c.begin(putOff{running})
	if err != nil {
		return err
	}
	if err := c.sync(running, sources); err != nil {
		c.queue.ShutDown()
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	c.mu.Lock()
	late := c.sources
	c.ctx, c.sources = running, nil
	c.mu.Unlock()
	for _, s := range late {
		_ = s.Start(running, c.queue)
	}
	return c.work(ctx)
}
