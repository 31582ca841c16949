//go:build ignore

// Mistake: The room of a deleted pod is free, and no pod wakes.
// Killed by: right-events-wake
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Scheduler) remove(pod *kit.Pod) {
	s.queue.remove(pod.UID)
	s.cache.remove(pod.UID)
}
