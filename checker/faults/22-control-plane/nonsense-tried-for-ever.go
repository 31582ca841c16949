//go:build ignore

// Mistake: An error is an error: one that only the user can repair is tried again like any other.
// Killed by: nothing-to-do-is-nothing-written
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DeploymentReconciler) roll(ctx context.Context, d *kit.Deployment, own []*kit.ReplicaSet, lagging bool) error {
	plan, err := newPlan(d, own)
	if err != nil {
		return fmt.Errorf("deployment %s: %w", kit.Key(d), err)
	}
	if !lagging {
		plan.step()
		if err := r.carryOut(ctx, d, plan); err != nil {
			return err
		}
	}
	return r.writeStatus(ctx, d, plan)
}
