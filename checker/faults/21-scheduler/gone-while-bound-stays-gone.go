//go:build ignore

// Mistake: A pod that was reported gone while it was being bound counts nowhere, and a later report that it is on its node is taken
//   for an old one.
// Killed by: late-answer
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
		e := s.queue.entries[pod.UID]
		if e != nil && e.in == nil && e.gone && !s.cache.has(pod.UID) {
			return
		}
		s.queue.remove(pod.UID)
		s.place(pod)
	case pod.DeletionTimestamp != nil:
		s.queue.remove(pod.UID)
	case s.cache.has(pod.UID):
	default:
		s.queue.set(pod, time.Now())
	}
}
