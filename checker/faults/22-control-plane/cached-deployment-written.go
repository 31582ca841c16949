//go:build ignore

// Mistake: The status is written into the object of the cache: it is going to be updated anyway.
// Killed by: one-replicaset-for-each-template
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"fmt"
	"strconv"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DeploymentReconciler) writeStatus(ctx context.Context, d *kit.Deployment, p *plan) error {
	want := d
	want.Status = p.status(d.Generation)
	if p.new != nil || p.create {
		want.Annotations = with(want.Annotations, kit.RevisionAnnotation, strconv.FormatInt(p.revision, 10))
	}
	if kit.Deployments.Equal(want, d) {
		return nil
	}
	if _, err := r.Deployments.Update(ctx, want); err != nil {
		return fmt.Errorf("write the status of %s: %w", kit.Key(d), err)
	}
	return nil
}
