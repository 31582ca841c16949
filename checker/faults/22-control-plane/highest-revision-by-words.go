//go:build ignore

// Mistake: A paused deployment finds its highest revision by comparing strings, so 9 comes after 10.
// Killed by: paused-and-scaled
// Verdict: wrong-answer

package controlplane

import (
	"cmp"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (p *plan) scaleOnly() {
	active := slices.DeleteFunc(slices.Clone(p.sets), func(s *set) bool { return s.replicas == 0 })
	if len(active) == 0 && len(p.sets) > 0 {
		active = []*set{slices.MaxFunc(p.sets, func(a, b *set) int {
			return cmp.Compare(a.Annotations[kit.RevisionAnnotation], b.Annotations[kit.RevisionAnnotation])
		})}
	}
	if len(active) == 1 {
		scaleTo(active[0], p.desired)
	}
}
