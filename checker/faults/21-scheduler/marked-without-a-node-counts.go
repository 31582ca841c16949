//go:build ignore

// Mistake: A pod that waited is being deleted, so those in flight have one rival less, and it counts as an event for them.
//   But it has made no room.
// Killed by: event-during-an-attempt
// Verdict: wrong-answer

package scheduler

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Scheduler) podSeen(pod *kit.Pod) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case ended(pod):
		s.remove(pod)
	case counts(pod):
		s.queue.remove(pod.UID)
		s.place(pod)
	case pod.DeletionTimestamp != nil:
		s.queue.remove(pod.UID)
		s.queue.events++
	case s.cache.has(pod.UID):
		// Old news: we have given it a node since.
	default:
		s.queue.set(pod, time.Now())
	}
}
