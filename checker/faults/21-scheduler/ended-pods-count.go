//go:build ignore

// Mistake: A pod counts until it is deleted, also if it has ended long ago: a node full of finished jobs
//   stays full.
// Killed by: right-events-wake
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
	case ended(pod) && pod.Spec.NodeName == "":
		s.remove(pod)
	case counts(pod):
		s.queue.remove(pod.UID)
		s.place(pod)
	case pod.DeletionTimestamp != nil:
		s.queue.remove(pod.UID)
	case s.cache.has(pod.UID):
	default:
		s.queue.set(pod, time.Now())
	}
}
