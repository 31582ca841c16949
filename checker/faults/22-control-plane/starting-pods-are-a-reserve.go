//go:build ignore

// Mistake: Pods of the new ReplicaSet that are not available yet count as if they were.
// Killed by: unhealthy-old-pods-go-first
// Verdict: wrong-answer

package controlplane

func (p *plan) dropUnavailable() {
	spare := p.unavailable - p.desired
	for _, s := range p.sets {
		spare += s.replicas
	}
	for _, s := range p.old() {
		if drop := min(spare, s.replicas-s.available()); drop > 0 && settled(s.ReplicaSet) {
			s.replicas -= drop
			spare -= drop
		}
	}
}
