//go:build ignore

// Mistake: Only available pods are counted when old ReplicaSets are scaled down (kubernetes#16737).
// Killed by: unhealthy-old-pods-go-first
// Verdict: wrong-answer

package controlplane

import "slices"

func (p *plan) step() {
	if slices.ContainsFunc(p.sets, func(s *set) bool { return !observed(s.ReplicaSet) }) {
		return
	}
	if p.paused {
		p.scaleOnly()
		return
	}
	if p.new == nil {
		p.create, p.created = true, min(p.room(), p.desired)
		return
	}
	p.scaleNew()
	p.dropAvailable()
}
