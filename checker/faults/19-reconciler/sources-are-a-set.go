//go:build ignore

// Mistake: A map keeps a source from being started twice. A source that is a struct with a function in it is no key of one.
// Killed by: late-watch
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Controller struct {
	options Options
	queue   kit.PriorityQueue[kit.Request]

	mu      sync.Mutex
	sources []Source
	ctx     context.Context
	known   map[Source]bool
}

func (c *Controller) keep(sources []Source) context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known = map[Source]bool{}
	}
	for _, s := range sources {
		if !c.known[s] && c.ctx == nil {
			c.sources = append(c.sources, s)
		}
		c.known[s] = true
	}
	return c.ctx
}
