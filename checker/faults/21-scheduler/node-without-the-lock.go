//go:build ignore

// Mistake: A handler is called by one goroutine at a time, so it is thought to need no lock. The workers do
//   not ask the informer.
// Killed by: crowd
// Verdict: data-race

package scheduler

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Scheduler) nodeSeen(node *kit.Node) {
	if s.cache.setNode(node) {
		s.queue.moveAll(time.Now())
	}
}
