//go:build ignore

// Mistake: While a pod of that name is in flight, an update that brings another UID ends the old one and is
//   done. The new pod is tried when its next notification comes, and none may come.
// Killed by: same-name-another-pod
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Scheduler) PodHandler() kit.ResourceEventHandler[*kit.Pod] {
	return kit.ResourceEventHandlerFuncs[*kit.Pod]{
		AddFunc: func(pod *kit.Pod, _ bool) { s.podSeen(pod) },
		UpdateFunc: func(old, pod *kit.Pod) {
			if old.UID != pod.UID {
				s.podGone(old)
				if pending(pod) && s.inFlight(old.UID) {
					return
				}
			}
			s.podSeen(pod)
		},
		DeleteFunc: func(pod *kit.Pod, _ bool) { s.podGone(pod) },
	}
}

func (s *Scheduler) inFlight(uid string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.queue.entries[uid] != nil
}
