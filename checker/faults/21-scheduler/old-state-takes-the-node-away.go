//go:build ignore

// Mistake: A pod that a handler has shown on a node, and shows without one now, waits again: an informer that has
//   listed from a server that is behind starts an attempt at a pod that runs.
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
	case s.cache.assumed(pod.UID) || s.cache.has(pod.UID) && s.queue.entries[pod.UID] != nil:
	default:
		s.cache.remove(pod.UID)
		s.queue.set(pod, time.Now())
	}
}
