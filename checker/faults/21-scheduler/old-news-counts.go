//go:build ignore

// Mistake: An old notification starts no attempt, but counts as an event for those in flight.
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
		s.queue.remove(pod.UID) // if it is assumed, the end of its binding says what becomes of that
	case s.cache.has(pod.UID):
		s.queue.events++
	default:
		s.queue.set(pod, time.Now())
	}
}
