//go:build ignore

// Mistake: The ctx is kept before anybody asks whether this is the first Start; the sources that come later get one that is done.
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
	again := c.ctx != nil
	sources := c.sources
	c.ctx, c.sources = ctx, nil
	if again {
		return nil, errors.New("reconciler: the controller was started more than once")
	}
	return sources, nil
}
