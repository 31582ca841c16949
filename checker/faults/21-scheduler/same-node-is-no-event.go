//go:build ignore

// Mistake: An update brings another pod that is on the node of the one before, so nothing has stopped counting there. But
//   the new one may request less.
// Killed by: same-name-another-pod
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Scheduler) PodHandler() kit.ResourceEventHandler[*kit.Pod] {
	return kit.ResourceEventHandlerFuncs[*kit.Pod]{
		AddFunc: func(pod *kit.Pod, _ bool) { s.podSeen(pod) },
		UpdateFunc: func(old, pod *kit.Pod) {
			if old.UID != pod.UID { // an informer that missed the deletion makes an update of it
				s.replaced(old, pod)
			}
			s.podSeen(pod)
		},
		DeleteFunc: func(pod *kit.Pod, _ bool) { s.podGone(pod) },
	}
}

// replaced ends the old pod.
func (s *Scheduler) replaced(old, pod *kit.Pod) {
	if !counts(old) || !counts(pod) || old.Spec.NodeName != pod.Spec.NodeName {
		s.podGone(old)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue.remove(old.UID)
	s.cache.remove(old.UID)
}
