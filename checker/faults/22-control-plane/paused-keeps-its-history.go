//go:build ignore

// Mistake: A paused deployment is left as it is, its history too.
// Killed by: history-is-limited
// Verdict: wrong-answer

package controlplane

import (
	"cmp"
	"slices"
)

func (p *plan) outdated() []*set {
	if p.paused || p.new == nil || p.new.Status.AvailableReplicas < p.desired || p.new.replicas != p.desired {
		return nil
	}
	old := p.old()
	if slices.ContainsFunc(old, func(s *set) bool { return s.pods() > 0 || !settled(s.ReplicaSet) }) {
		return nil
	}
	slices.SortStableFunc(old, func(a, b *set) int { return cmp.Compare(revisionOf(a), revisionOf(b)) })
	return old[:max(0, len(old)-p.limit)]
}
