//go:build ignore

// Mistake: The priority goes with the first request of an event, and the others are added without it.
// Killed by: the-old-can-wait
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
			if !slices.Contains(requests, r) {
				requests = append(requests, r)
			}
		}
	}
	for n, r := range requests {
		if n == 0 {
			m.queue.AddWithOpts(kit.AddOpts{Priority: priority(canWait)}, r)
			continue
		}
		m.queue.Add(r)
	}
}
