//go:build ignore

// Mistake: Start starts, and callers that want to wait may do so.
// Killed by: ten-steps
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"sync"
)

func (c *ControlPlane) Start(ctx context.Context) error {
	c.watchForKubelets()
	var all sync.WaitGroup
	all.Go(func() { c.pods.Run(ctx) })
	for name, component := range c.components {
		all.Go(func() {
			component.supervise(ctx, c.options.RestartAfter, func(err error) { c.options.OnError(name, err) })
		})
	}
	return nil
}
