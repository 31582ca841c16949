//go:build ignore

// Mistake: The deletion of a pod wakes everybody, also of one that never ran anywhere.
// Killed by: wrong-events-do-not-wake
// Verdict: wrong-answer

package scheduler

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Scheduler) remove(pod *kit.Pod) {
	s.queue.remove(pod.UID)
	s.cache.remove(pod.UID)
	s.queue.moveAll(time.Now())
}
