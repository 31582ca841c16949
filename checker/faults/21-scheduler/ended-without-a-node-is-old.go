//go:build ignore

// Mistake: A notification without a node about a pod that was bound is always old, also if it shows that the pod
//   has ended: the pod keeps its room.
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
	case pod.Spec.NodeName == "" && s.cache.has(pod.UID) && s.queue.entries[pod.UID] == nil:
		// Old news: its binding has ended.
	case ended(pod):
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
