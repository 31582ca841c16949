//go:build ignore

// Mistake: If OnDelete shows a pod on the node where it counts, what it requests there is subtracted: the state may be old, and
//   what was added another sum.
// Killed by: sums-are-exact
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Scheduler) podGone(pod *kit.Pod) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, ok := s.cache.pods[pod.UID]; ok && p.node == pod.Spec.NodeName {
		p.requests = requests(pod)
		s.cache.pods[pod.UID] = p
	}
	s.remove(pod)
}
