//go:build ignore

// Mistake: Watches takes duplicates out of the slice that mapFunc returned, in place.
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
		for _, r := range slices.Compact(m.mapFunc(obj)) {
			if !slices.Contains(requests, r) {
				requests = append(requests, r)
			}
		}
	}
	m.queue.AddWithOpts(kit.AddOpts{Priority: priority(canWait)}, requests...)
}
