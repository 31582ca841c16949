//go:build ignore

// Mistake: An empty ReplicaSet is deleted by its name. At the API server that name may be another by now.
// Killed by: a-deleted-deployment-leaves-no-orphans
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DeploymentReconciler) remove(ctx context.Context, rs *kit.ReplicaSet) error {
	_, err := r.ReplicaSets.Delete(ctx, rs.Namespace, rs.Name,
		kit.DeleteOptions{})
	if err != nil && !kit.IsNotFound(err) {
		return fmt.Errorf("delete %s: %w", kit.Key(rs), err)
	}
	return nil
}
