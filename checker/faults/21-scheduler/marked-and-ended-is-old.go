//go:build ignore

// Mistake: A state without a node, in which the pod is being deleted, is old, also if it shows that the pod has ended.
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
	case pod.DeletionTimestamp != nil && pod.Spec.NodeName == "":
		s.queue.remove(pod.UID)
	case ended(pod):
		s.remove(pod)
	case counts(pod):
		s.queue.remove(pod.UID)
		s.place(pod)
	case s.cache.has(pod.UID):
		// Old news: we have given it a node since.
	default:
		s.queue.set(pod, time.Now())
	}
}
