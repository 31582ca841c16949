//go:build ignore

// Mistake: Nobody starts a controller twice.
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
	if c.ctx != nil && c.ctx.Err() != nil {
		return nil, errors.New("")
	}
	sources := c.sources
	c.ctx, c.sources = ctx, nil
	return sources, nil
}
