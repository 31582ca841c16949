//go:build ignore

// Mistake: Sources are added before Start, by one goroutine; so no lock is needed.
// Killed by: watch-while-starting
// Verdict: data-race

package reconciler

import "context"

func (c *Controller) keep(sources []Source) context.Context {
	if c.ctx == nil {
		c.sources = append(c.sources, sources...)
	}
	return c.ctx
}
