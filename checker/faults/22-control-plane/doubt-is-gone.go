//go:build ignore

// Mistake: The API server was asked about the deployment and did not return it, so that it is gone.
// Killed by: a-deleted-deployment-leaves-no-orphans
// Verdict: wrong-answer

package controlplane

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DeploymentReconciler) abandon(ctx context.Context, request kit.Request, sets []*kit.ReplicaSet) error {
	if len(sets) == 0 {
		return nil
	}
	living := ""
	d, err := r.Deployments.Get(ctx, request.Namespace, request.Name)
	if err == nil {
		living = d.UID
	}
	for _, rs := range sets {
		if rs.ControllerOf().UID == living || !settled(rs) {
			continue
		}
		if rs.Spec.Replicas == 0 {
			err = r.remove(ctx, rs)
		} else {
			err = r.empty(ctx, request, rs)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
