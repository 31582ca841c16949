//go:build ignore

// Mistake: An update is an update; that it may be another pod of the same name is not thought of.
// Killed by: same-name-another-pod
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Scheduler) PodHandler() kit.ResourceEventHandler[*kit.Pod] {
	return kit.ResourceEventHandlerFuncs[*kit.Pod]{
		AddFunc: func(pod *kit.Pod, _ bool) { s.podSeen(pod) },
		UpdateFunc: func(old, pod *kit.Pod) {
			if old.Name != pod.Name {
				s.podGone(old)
			}
			s.podSeen(pod)
		},
		DeleteFunc: func(pod *kit.Pod, _ bool) { s.podGone(pod) },
	}
}
