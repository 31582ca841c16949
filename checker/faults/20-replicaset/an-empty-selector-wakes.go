//go:build ignore

// Mistake: A selector without pairs is taken for one that matches every pod.
// Killed by: wakes-both-owners
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (h podHandler) wakeMatching(pod *kit.Pod) {
	for _, rs := range h.r.setsIn(pod.Namespace) {
		if len(rs.Spec.Selector.MatchLabels) == 0 || rs.Spec.Selector.Matches(pod.Labels) {
			h.wake(rs)
		}
	}
}
