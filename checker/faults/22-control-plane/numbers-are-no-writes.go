//go:build ignore

// Mistake: A write that leaves the generation as it is moves no pod, so nobody has to wait for it.
// Killed by: what-was-written-is-waited-for
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"fmt"
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
		return fmt.Errorf("scale %s to %d: %w", kit.Key(want), s.replicas, err)
	}
	if rs.Generation != s.Generation {
		r.wrote(kit.RequestFor(d), rs)
	}
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
