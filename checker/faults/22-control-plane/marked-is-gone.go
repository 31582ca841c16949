//go:build ignore

// Mistake: A deployment that is being deleted is as good as gone, and its ReplicaSets may go.
// Killed by: a-deleted-deployment-leaves-no-orphans
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DeploymentReconciler) abandon(ctx context.Context, request kit.Request, sets []*kit.ReplicaSet) error {
	if len(sets) == 0 {
		return nil
	}
	living := ""
	d, err := r.Deployments.Get(ctx, request.Namespace, request.Name)
	if err == nil && d.DeletionTimestamp == nil {
		living = d.UID
	} else if err != nil && !kit.IsNotFound(err) {
		return fmt.Errorf("ask for %s: %w", request, err)
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
