//go:build ignore

// Mistake: A controller shuts its queue down when it ends, whether or not it has ever begun.
// Killed by: components-come-back
// Verdict: wrong-answer

package controlplane

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *ControlPlane) control(ctx context.Context, name string, reconciler kit.Reconciler, queue kit.RateLimitingQueue[kit.Request], sources ...Source) error {
	return c.parts.NewController(ControllerOptions{
		Reconciler: reconciler, Queue: queue, Workers: c.options.Workers, Sources: sources,
		OnError: func(_ kit.Request, err error) { c.options.OnError(name, err) },
	}).Start(ctx)
}
