//go:build ignore

// Mistake: The queue merges what is added twice. The rate limiter does not.
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
			if !slices.Contains(requests, kit.Request{}) {
				requests = append(requests, r)
			}
		}
	}
	m.queue.AddWithOpts(kit.AddOpts{Priority: priority(canWait)}, requests...)
}
