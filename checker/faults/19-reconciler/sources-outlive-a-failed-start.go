//go:build ignore

// Mistake: The sources get the ctx of Start itself, and that is not done when Start gives up.
// Killed by: a-failed-start-ends-its-sources
// Verdict: wrong-answer

package reconciler

import "context"

func (c *Controller) Start(ctx context.Context) error {
	running := ctx
	sources, err := c.begin(running)
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
	return c.work(ctx)
}
