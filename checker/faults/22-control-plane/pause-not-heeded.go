//go:build ignore

// Mistake: A pause blocks new rollouts and lets one that has begun go on.
// Killed by: paused-and-scaled
// Verdict: wrong-answer

package controlplane

import "slices"

func (p *plan) step() {
	if slices.ContainsFunc(p.sets, func(s *set) bool { return !observed(s.ReplicaSet) }) {
		return
	}
	if p.paused && p.new == nil {
		p.scaleOnly()
		return
	}
	if p.new == nil {
		p.create, p.created = true, min(p.room(), p.desired)
		return
	}
	p.scaleNew()
	p.dropUnavailable()
	p.dropAvailable()
}
