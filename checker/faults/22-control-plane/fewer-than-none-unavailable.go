//go:build ignore

// Mistake: Never are more pods available than there are, so that the difference needs no limit.
// Killed by: nothing-to-do-is-nothing-written
// Verdict: wrong-answer

package controlplane

import "github.com/controllerbook/controllerbook/labs/kit"

func (p *plan) status(generation int64) kit.DeploymentStatus {
	status := kit.DeploymentStatus{ObservedGeneration: generation}
	for _, s := range p.sets {
		status.Replicas += s.Status.Replicas
		status.ReadyReplicas += s.Status.ReadyReplicas
		status.AvailableReplicas += s.Status.AvailableReplicas
	}
	if p.new != nil {
		status.UpdatedReplicas = p.new.Status.Replicas
	}
	status.UnavailableReplicas = status.Replicas - status.AvailableReplicas
	return status
}
