//go:build ignore

// Mistake: The first Watch keeps the slice that it was called with, which belongs to its caller.
// Killed by: watch-while-starting
// Verdict: wrong-answer

package reconciler

import "context"

func (c *Controller) keep(sources []Source) context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx == nil && c.sources == nil {
		c.sources = sources
	} else if c.ctx == nil {
		c.sources = append(c.sources, sources...)
	}
	return c.ctx
}
