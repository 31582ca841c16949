//go:build ignore

// Mistake: How many pods must be available is not looked at when old ones are scaled down.
// Killed by: a-rollout-keeps-between-the-fenceposts
// Verdict: wrong-answer

package controlplane

func (p *plan) dropAvailable() {
	spare := 0
	for _, s := range p.sets {
		spare += s.available()
	}
	for _, s := range p.old() {
		if drop := min(spare, s.replicas); drop > 0 && settled(s.ReplicaSet) {
			s.replicas -= drop
			spare -= drop
		}
	}
}
