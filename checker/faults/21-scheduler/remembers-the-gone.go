//go:build ignore

// Mistake: The UIDs of pods that are gone are remembered, so that old news cannot bring them back.
// Killed by: forgets-the-gone
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

// departed are the UIDs of pods that are gone. Scheduler.mu guards it.
var departed = map[string]struct{}{}

func (s *Scheduler) podGone(pod *kit.Pod) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(pod)
	departed[pod.UID] = struct{}{}
}
