//go:build ignore

// Mistake: Every old ReplicaSet loses as many available pods as can be spared in all.
// Killed by: unhealthy-old-pods-go-first
// Verdict: wrong-answer

package controlplane

func (p *plan) dropAvailable() {
	spare := p.unavailable - p.desired
	for _, s := range p.sets {
		spare += s.available()
	}
	for _, s := range p.old() {
		if drop := min(spare, s.replicas); drop > 0 && settled(s.ReplicaSet) {
			s.replicas -= drop
		}
	}
}
