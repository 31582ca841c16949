//go:build ignore

// Mistake: An old notification, without a node, does not take a pod off its node. But what it requests there is taken from it.
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
	case s.cache.has(pod.UID):
		if p := s.cache.pods[pod.UID]; !p.assumed {
			again := pod.DeepCopy()
			again.Spec.NodeName = p.node
			s.cache.place(again)
		}
	default:
		s.queue.set(pod, time.Now())
	}
}
