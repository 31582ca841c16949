//go:build ignore

// Mistake: What Watch needs is the ctx of Start, and that is kept: not the one which ends with Start.
// Killed by: a-failed-start-ends-its-sources
// Verdict: wrong-answer

package reconciler

import "context"

func (c *Controller) Start(ctx context.Context) error {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	sources, err := c.begin(ctx)
	if err != nil {
		return err
	}
	if err := c.sync(running, sources); err != nil {
		c.queue.ShutDown()
		if ctx.Err() != nil {
			return nil // to be told to stop is no failure
		}
		return err
	}
	return c.work(ctx)
}
