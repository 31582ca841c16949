//go:build ignore

// Mistake: The next revision is one more than the deployment's own annotation, which anybody may have edited.
// Killed by: a-rollback-reuses-the-old-replicaset
// Verdict: wrong-answer

package controlplane

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DeploymentReconciler) roll(ctx context.Context, d *kit.Deployment, own []*kit.ReplicaSet, lagging bool) error {
	plan, err := newPlan(d, own)
	if err != nil {
		return kit.TerminalError(err)
	}
	if plan.new == nil {
		plan.revision = max(plan.revision, revisionOf(d)+1)
	}
	if !lagging {
		plan.step()
		if err := r.carryOut(ctx, d, plan); err != nil {
			return err
		}
	}
	return r.writeStatus(ctx, d, plan)
}
