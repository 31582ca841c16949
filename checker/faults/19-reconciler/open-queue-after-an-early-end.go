//go:build ignore

// Mistake: The queue is shut down for the workers, and there are none yet.
// Killed by: stop-when-idle
// Verdict: wrong-answer

package reconciler

import "context"

func (c *Controller) Start(ctx context.Context) error {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	sources, err := c.begin(running)
	if err != nil {
		return err
	}
	if err := c.sync(running, sources); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	return c.work(ctx)
}
