//go:build ignore

// Mistake: That a ReplicaSet could not be scaled is not returned: there will be another event.
// Killed by: nothing-to-do-is-nothing-written
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"strconv"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DeploymentReconciler) update(ctx context.Context, d *kit.Deployment, p *plan, s *set) error {
	want := s.DeepCopy()
	want.Spec.Replicas = s.replicas
	if s == p.new {
		want.Spec.MinReadySeconds = d.Spec.MinReadySeconds
		want.Annotations = with(want.Annotations, kit.RevisionAnnotation, strconv.FormatInt(p.revision, 10))
	}
	if kit.ReplicaSets.Equal(want, s.ReplicaSet) {
		return nil
	}
	rs, err := r.ReplicaSets.Update(ctx, want)
	if err != nil {
		return nil
	}
	r.wrote(kit.RequestFor(d), rs)
	if before := s.Spec.Replicas; before != s.replicas {
		word := "up"
		if s.replicas < before {
			word = "down"
		}
		r.Recorder.Eventf(kit.ReferenceTo(kit.Deployments, d), kit.EventNormal, "ScalingReplicaSet",
			"Scaled %s replica set %s from %d to %d", word, rs.Name, before, s.replicas)
	}
	return nil
}
