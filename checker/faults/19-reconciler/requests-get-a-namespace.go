//go:build ignore

// Mistake: A request without a namespace has been forgotten to be given one: it gets that of the object.
// Killed by: watches-asks-about-both
// Verdict: wrong-answer

package reconciler

import (
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (m mapped[T]) add(canWait bool, objs ...T) {
	var requests []kit.Request
	for _, obj := range objs {
		for _, r := range m.mapFunc(obj) {
			if r.Namespace == "" {
				r.Namespace = obj.GetNamespace()
			}
			if !slices.Contains(requests, r) {
				requests = append(requests, r)
			}
		}
	}
	m.queue.AddWithOpts(kit.AddOpts{Priority: priority(canWait)}, requests...)
}
