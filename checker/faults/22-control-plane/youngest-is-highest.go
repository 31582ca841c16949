//go:build ignore

// Mistake: A paused deployment without pods scales its youngest ReplicaSet. After a rollback that is not the one with the highest
//   revision.
// Killed by: paused-and-scaled
// Verdict: wrong-answer

package controlplane

import "slices"

func (p *plan) scaleOnly() {
	active := slices.DeleteFunc(slices.Clone(p.sets), func(s *set) bool { return s.replicas == 0 })
	if len(active) == 0 && len(p.sets) > 0 {
		active = p.sets[len(p.sets)-1:]
	}
	if len(active) == 1 {
		scaleTo(active[0], p.desired)
	}
}
