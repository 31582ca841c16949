//go:build ignore

// Mistake: A pod without owner that matches is taken for one that was created.
// Killed by: wakes-both-owners
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (h podHandler) wakeMatching(pod *kit.Pod) {
	for _, rs := range h.r.setsIn(pod.Namespace) {
		if rs.Spec.Selector.Matches(pod.Labels) {
			h.r.expectations.CreationObserved(kit.Key(rs))
			h.wake(rs)
		}
	}
}
