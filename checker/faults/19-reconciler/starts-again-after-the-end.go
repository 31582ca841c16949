//go:build ignore

// Mistake: The flag says that the controller runs, and not that it was started.
// Killed by: starts-once
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"errors"
)

func (c *Controller) begin(ctx context.Context) ([]Source, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx != nil && c.ctx.Err() == nil {
		return nil, errors.New("reconciler: the controller was started more than once")
	}
	sources := c.sources
	c.ctx, c.sources = ctx, nil
	return sources, nil
}
