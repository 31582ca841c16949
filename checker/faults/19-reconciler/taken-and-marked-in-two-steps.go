//go:build ignore

// Mistake: The list is taken under the lock, and the ctx is set under it; and between the two a Watch finds
//   no ctx, and a list that is read no more.
// Killed by: watch-while-starting
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"errors"
)

func (c *Controller) begin(ctx context.Context) ([]Source, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx != nil {
		return nil, errors.New("reconciler: the controller was started more than once")
	}
	sources := c.sources
	c.sources = nil
	c.mu.Unlock()
	c.mu.Lock()
	c.ctx = ctx
	return sources, nil
}
