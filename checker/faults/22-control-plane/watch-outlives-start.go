//go:build ignore

// Mistake: The informer of all kubelets hears from ctx that it is over, so nobody has to wait for it.
// Killed by: components-come-back
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"sync"
)

func (c *ControlPlane) Start(ctx context.Context) error {
	c.watchForKubelets()
	var all sync.WaitGroup
	go c.pods.Run(ctx)
	for name, component := range c.components {
		all.Go(func() {
			component.supervise(ctx, c.options.RestartAfter, func(err error) { c.options.OnError(name, err) })
		})
	}
	all.Wait()
	return nil
}
