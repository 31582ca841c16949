//go:build ignore

// Mistake: A notification that shows a pod without a node, and marked for deletion, is believed, though the pod was bound since.
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
		if s.queue.entries[pod.UID] == nil { // or the end of its binding says what becomes of it
			s.cache.remove(pod.UID)
		}
		s.queue.remove(pod.UID)
	case s.cache.has(pod.UID):
		// Old news: we have given it a node since.
	default:
		s.queue.set(pod, time.Now())
	}
}
