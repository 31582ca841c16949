//go:build ignore

// Mistake: A pod that requested neither CPU nor memory makes no room when it is gone. But it took one of the node's Pods.
// Killed by: right-events-wake
// Verdict: wrong-answer

package scheduler

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Scheduler) remove(pod *kit.Pod) {
	s.queue.remove(pod.UID)
	if s.cache.remove(pod.UID) && (pod.Spec.CPU > 0 || pod.Spec.Memory > 0) {
		s.queue.moveAll(time.Now())
	}
}
