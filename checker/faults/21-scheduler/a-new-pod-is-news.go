//go:build ignore

// Mistake: The sums of a node change when a pod comes that runs there, and an attempt under way has not seen
//   it; so that counts as an event. But such a pod makes no room.
// Killed by: event-during-an-attempt
// Verdict: wrong-answer

package scheduler

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Scheduler) place(pod *kit.Pod) {
	known := s.cache.has(pod.UID)
	if s.cache.place(pod) {
		s.queue.moveAll(time.Now())
	} else if !known {
		s.queue.events++
	}
}
