//go:build ignore

// Mistake: The status of a ReplicaSet is believed, whichever generation it is about.
// Killed by: one-change-at-a-time
// Verdict: wrong-answer

package controlplane

import "slices"

func (p *plan) step() {
	if slices.ContainsFunc(p.sets, func(s *set) bool { return false }) {
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
	p.dropUnavailable()
	p.dropAvailable()
}
