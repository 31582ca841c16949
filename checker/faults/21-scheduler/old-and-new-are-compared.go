//go:build ignore

// Mistake: OnUpdate gets both states of a pod, so they say whether it has changed. But the scheduler may have seen the new one
//   before, from Get.
// Killed by: wrong-events-do-not-wake
// Verdict: wrong-answer

package scheduler

import (
	"maps"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Scheduler) PodHandler() kit.ResourceEventHandler[*kit.Pod] {
	return kit.ResourceEventHandlerFuncs[*kit.Pod]{
		AddFunc: func(pod *kit.Pod, _ bool) { s.podSeen(pod) },
		UpdateFunc: func(old, pod *kit.Pod) {
			if old.UID != pod.UID {
				s.podGone(old)
			}
			s.podSeen(pod)
			s.podChanged(old, pod)
		},
		DeleteFunc: func(pod *kit.Pod, _ bool) { s.podGone(pod) },
	}
}

func (s *Scheduler) podChanged(old, pod *kit.Pod) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.queue.entries[pod.UID]
	if e != nil && e.in == &s.queue.unschedulable && !(kit.Pods.SameSpec(old, pod) && maps.Equal(old.Labels, pod.Labels)) {
		s.queue.move(e, time.Now())
	}
}
