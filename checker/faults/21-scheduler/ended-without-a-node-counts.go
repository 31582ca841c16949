//go:build ignore

// Mistake: A pod has ended, and that counts as an event for those in flight, also if it counted nowhere.
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
		s.queue.events++
	case counts(pod):
		s.queue.remove(pod.UID)
		s.place(pod)
	case pod.DeletionTimestamp != nil:
		s.queue.remove(pod.UID) // if it is assumed, the end of its binding says what becomes of that
	case s.cache.has(pod.UID):
		// Old news: we have given it a node since.
	default:
		s.queue.set(pod, time.Now())
	}
}
