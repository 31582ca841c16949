//go:build ignore

// Mistake: A state without a node is old if the pod is bound, and news while it is being tried. So an attempt goes on though
//   a handler had reported, before that state, that somebody else has bound the pod.
// Killed by: old-news
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
	case s.cache.assumed(pod.UID) || s.cache.has(pod.UID) && s.queue.entries[pod.UID] == nil:
	default:
		s.queue.set(pod, time.Now())
	}
}
