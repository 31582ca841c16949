//go:build ignore

// Mistake: What is in the queue can be reconciled already; the rest will come.
// Killed by: syncs-before-work
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
	go func() {
		for c.next(running) {
		}
	}()
	if err := c.sync(running, sources); err != nil {
		c.queue.ShutDown()
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	return c.work(ctx)
}
