//go:build ignore

// Mistake: What a Reconcile meets after its component was killed interests nobody.
// Killed by: components-come-back
// Verdict: wrong-answer

package controlplane

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *ControlPlane) control(ctx context.Context, name string, reconciler kit.Reconciler, queue kit.RateLimitingQueue[kit.Request], sources ...Source) error {
	defer queue.ShutDown()
	return c.parts.NewController(ControllerOptions{
		Reconciler: reconciler, Queue: queue, Workers: c.options.Workers, Sources: sources,
		OnError: func(_ kit.Request, err error) {
			if ctx.Err() == nil {
				c.options.OnError(name, err)
			}
		},
	}).Start(ctx)
}
