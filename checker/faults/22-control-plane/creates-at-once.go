//go:build ignore

// Mistake: A new ReplicaSet is in nobody's way: it is created whether or not the old ones are observed.
// Killed by: one-change-at-a-time
// Verdict: wrong-answer

package controlplane

import "slices"

func (p *plan) step() {
	if p.new == nil && !p.paused {
		p.create, p.created = true, min(p.room(), p.desired)
		return
	}
	if slices.ContainsFunc(p.sets, func(s *set) bool { return !observed(s.ReplicaSet) }) {
		return
	}
	if p.paused {
		p.scaleOnly()
		return
	}
	p.scaleNew()
	p.dropUnavailable()
	p.dropAvailable()
}
