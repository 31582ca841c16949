//go:build ignore

// Mistake: Pods of the informer's first list are taken for known: those without a node are not queued.
// Killed by: whose-turn-it-is
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Scheduler) PodHandler() kit.ResourceEventHandler[*kit.Pod] {
	return kit.ResourceEventHandlerFuncs[*kit.Pod]{
		AddFunc: func(pod *kit.Pod, first bool) {
			if !first || counts(pod) {
				s.podSeen(pod)
			}
		},
		UpdateFunc: func(old, pod *kit.Pod) {
			if old.UID != pod.UID {
				s.podGone(old)
			}
			s.podSeen(pod)
		},
		DeleteFunc: func(pod *kit.Pod, _ bool) { s.podGone(pod) },
	}
}
