//go:build ignore

// Mistake: The controller tries again after an error of its reconciler, so nobody needs to hear of it.
// Killed by: options-reach-the-parts
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
	}).Start(ctx)
}
