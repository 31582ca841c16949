//go:build ignore

// Mistake: A node goes away during an attempt, so the attempt has to be repeated. But that helps nobody.
// Killed by: event-during-an-attempt
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Scheduler) nodeGone(node *kit.Node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cache.removeNode(node.Name)
	s.queue.events++
}
