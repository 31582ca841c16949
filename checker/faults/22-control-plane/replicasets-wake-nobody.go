//go:build ignore

// Mistake: The deployment controller is woken by deployments, and not by what became of its ReplicaSets.
// Killed by: ten-steps
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
	return c.control(ctx, DeploymentController, r, c.parts.NewPriorityQueue(),
		feed(c.parts.Deployments, deployments, r.DeploymentHandler))
}
