//go:build ignore

// Mistake: The deployment controller is given no Recorder, and stops at its first event.
//   Lab 19 makes an error of the panic and tries again, so that the rollout goes on.
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
	})
	return c.control(ctx, DeploymentController, r, c.parts.NewPriorityQueue(),
		feed(c.parts.Deployments, deployments, r.DeploymentHandler),
		feed(c.parts.ReplicaSets, sets, r.ReplicaSetHandler))
}
