//go:build ignore

// Mistake: The taints of a node are sorted before they are compared, because their order does not matter. But the object is
//   the one in the informer's cache.
// Killed by: gives-a-pod-a-node
// Verdict: wrong-answer

package scheduler

import (
	"cmp"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Scheduler) nodeSeen(node *kit.Node) {
	slices.SortFunc(node.Spec.Taints, func(a, b kit.Taint) int { return cmp.Compare(a.Key, b.Key) })
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cache.setNode(node) {
		s.queue.moveAll(time.Now())
	}
}
