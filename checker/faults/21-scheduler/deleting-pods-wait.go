//go:build ignore

// Mistake: A pod that is being deleted gets a node like any other.
// Killed by: gives-a-pod-a-node
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
	case s.cache.has(pod.UID):
	default:
		s.queue.set(pod, time.Now())
	}
}
