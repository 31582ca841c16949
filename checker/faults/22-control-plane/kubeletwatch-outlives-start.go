//go:build ignore

// Mistake: Start waits for the components, and the informer that all kubelets share is none.
// Killed by: components-come-back
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"sync"
)

func (c *ControlPlane) Start(ctx context.Context) error {
	c.watchForKubelets()
	go c.pods.Run(ctx)
	var all sync.WaitGroup
	for name, component := range c.components {
		all.Go(func() {
			component.supervise(ctx, c.options.RestartAfter, func(err error) { c.options.OnError(name, err) })
		})
	}
	all.Wait()
	return nil
}
