//go:build ignore

// Mistake: A pod that is marked for deletion while it is being bound stops counting at once. Its Update may have been written,
//   and then the pod runs until the kubelet has ended it.
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
		s.queue.remove(pod.UID)
		s.place(pod)
	case pod.DeletionTimestamp != nil:
		s.remove(pod)
	case s.cache.has(pod.UID):
	default:
		s.queue.set(pod, time.Now())
	}
}
