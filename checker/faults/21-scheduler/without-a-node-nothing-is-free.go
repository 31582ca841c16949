//go:build ignore

// Mistake: A pod that is reported gone without a node, and that does not wait for one, is none of the scheduler's. But the informer
//   may have missed that it was bound.
// Killed by: late-answer
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Scheduler) podGone(pod *kit.Pod) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if pod.Spec.NodeName == "" && s.queue.entries[pod.UID] == nil {
		return
	}
	s.remove(pod)
}
