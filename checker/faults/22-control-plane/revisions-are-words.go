//go:build ignore

// Mistake: Revisions are compared as the strings that they are in annotations, so 10 comes before 9.
// Killed by: history-is-limited
// Verdict: wrong-answer

package controlplane

import (
	"cmp"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (p *plan) outdated() []*set {
	if p.new == nil || p.new.Status.AvailableReplicas < p.desired || p.new.replicas != p.desired {
		return nil
	}
	old := p.old()
	if slices.ContainsFunc(old, func(s *set) bool { return s.pods() > 0 || !settled(s.ReplicaSet) }) {
		return nil
	}
	slices.SortStableFunc(old, func(a, b *set) int {
		return cmp.Compare(a.Annotations[kit.RevisionAnnotation], b.Annotations[kit.RevisionAnnotation])
	})
	return old[:max(0, len(old)-p.limit)]
}
