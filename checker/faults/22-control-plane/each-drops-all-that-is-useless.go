//go:build ignore

// Mistake: Every old ReplicaSet loses as many useless pods as may go in all.
// Killed by: unhealthy-old-pods-go-first
// Verdict: wrong-answer

package controlplane

func (p *plan) dropUnavailable() {
	spare := p.unavailable - p.desired - (p.new.replicas - p.new.available())
	for _, s := range p.sets {
		spare += s.replicas
	}
	for _, s := range p.old() {
		if drop := min(spare, s.replicas-s.available()); drop > 0 && settled(s.ReplicaSet) {
			s.replicas -= drop
		}
	}
}
