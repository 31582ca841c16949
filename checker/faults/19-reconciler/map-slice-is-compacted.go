//go:build ignore

// Mistake: The requests that mapFunc returns belong to who asked for them, and duplicates go out in place.
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
