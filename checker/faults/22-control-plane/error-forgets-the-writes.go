//go:build ignore

// Mistake: An error ends the call, and what it has written before is forgotten with it.
// Killed by: what-was-written-is-waited-for
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
		return kit.TerminalError(fmt.Errorf("deployment %s: %w", kit.Key(d), err))
	}
	if !lagging {
		plan.step()
		if err := r.carryOut(ctx, d, plan); err != nil {
			return err
		}
	}
	err = r.writeStatus(ctx, d, plan)
	if err != nil {
		r.mu.Lock()
		delete(r.written, kit.RequestFor(d))
		r.mu.Unlock()
	}
	return err
}
