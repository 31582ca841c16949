//go:build ignore

// Mistake: The ReplicaSets are read first, and then it is asked whether the cache has all that was written: what
//   arrives in between was found, and not counted.
// Killed by: what-was-written-is-waited-for
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DeploymentReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	d, exists := r.DeploymentCache.GetByKey(request.String())
	controlled, err := r.ReplicaSetCache.ByIndex(ControllerIndex, ControllerKey(kit.Deployments.Kind, request.Namespace, request.Name))
	if err != nil {
		return kit.Result{}, fmt.Errorf("list the ReplicaSets of %s: %w", request, err)
	}
	lagging, err := r.lagging(ctx, request)
	if err != nil {
		return kit.Result{}, err
	}
	own, others := controlledBy(controlled, d, exists)
	result := kit.Result{}
	if lagging {
		result.RequeueAfter = lagPause
	} else if err := r.abandon(ctx, request, others); err != nil {
		return kit.Result{}, err
	}
	if !exists || d.DeletionTimestamp != nil {
		return result, nil
	}
	return result, r.roll(ctx, d, own, lagging)
}
