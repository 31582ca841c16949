//go:build ignore

// Mistake: The ReplicaSets are sorted by age already, and the oldest has the lowest revision. After a rollback it has
//   not.
// Killed by: history-is-limited
// Verdict: wrong-answer

package controlplane

import "slices"

func (p *plan) outdated() []*set {
	if p.new == nil || p.new.Status.AvailableReplicas < p.desired || p.new.replicas != p.desired {
		return nil
	}
	old := p.old()
	if slices.ContainsFunc(old, func(s *set) bool { return s.pods() > 0 || !settled(s.ReplicaSet) }) {
		return nil
	}
	return old[:max(0, len(old)-p.limit)]
}
