//go:build ignore

// Mistake: All controllers have the same queue.
// Killed by: options-reach-the-parts
// Verdict: wrong-answer

package controlplane

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *ControlPlane) deployments(ctx context.Context, p *process) error {
	deployments := informer(p, c.parts.Deployments, p.api.Deployments, nil)
	sets := informer(p, c.parts.ReplicaSets, p.api.ReplicaSets, map[string]kit.IndexFunc[*kit.ReplicaSet]{ControllerIndex: ByReplicaSetController})
	r := NewDeploymentReconciler(DeploymentOptions{
		Deployments: p.api.Deployments, ReplicaSets: p.api.ReplicaSets,
		DeploymentCache: deployments.GetIndexer(), ReplicaSetCache: sets.GetIndexer(),
		Recorder: p.recorder,
	})
	return c.control(ctx, DeploymentController, r, c.parts.NewQueue(),
		feed(c.parts.Deployments, deployments, r.DeploymentHandler),
		feed(c.parts.ReplicaSets, sets, r.ReplicaSetHandler))
}
