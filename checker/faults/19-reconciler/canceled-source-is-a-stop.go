//go:build ignore

// Mistake: A source whose error wraps context.Canceled was told to stop; it may be a call of its own that was called off, while the controller goes on.
// Killed by: source-error-ends-start
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"errors"
)

func (c *Controller) Start(ctx context.Context) error {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	sources, err := c.begin(running)
	if err != nil {
		return err
	}
	if err := c.sync(running, sources); err != nil {
		c.queue.ShutDown()
		if errors.Is(err, context.Canceled) {
			return nil
		}
		return err
	}
	return c.work(ctx)
}
