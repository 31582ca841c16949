//go:build ignore

// Mistake: Unavailable are the pods that are asked for and lack, and not those that are there.
// Killed by: one-replicaset-for-each-template
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
	status.UnavailableReplicas = max(0, p.desired-status.AvailableReplicas)
	return status
}
