//go:build ignore

// Mistake: As long as the deployment exists, its pods are kept as it asks, also while it is being deleted.
// Killed by: a-deleted-deployment-leaves-no-orphans
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DeploymentReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	lagging, err := r.lagging(ctx, request)
	if err != nil {
		return kit.Result{}, err
	}
	d, exists := r.DeploymentCache.GetByKey(request.String())
	controlled, err := r.ReplicaSetCache.ByIndex(ControllerIndex, ControllerKey(kit.Deployments.Kind, request.Namespace, request.Name))
	if err != nil {
		return kit.Result{}, fmt.Errorf("list the ReplicaSets of %s: %w", request, err)
	}
	own, others := controlledBy(controlled, d, exists)
	result := kit.Result{}
	if lagging {
		result.RequeueAfter = lagPause
	} else if err := r.abandon(ctx, request, others); err != nil {
		return kit.Result{}, err
	}
	if !exists {
		return result, nil
	}
	return result, r.roll(ctx, d, own, lagging)
}
