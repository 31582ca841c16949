//go:build ignore

// Mistake: A pod without owner does not wake a ReplicaSet that is being deleted: it would adopt nothing.
// Killed by: wakes-both-owners
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (h podHandler) wakeMatching(pod *kit.Pod) {
	for _, rs := range h.r.setsIn(pod.Namespace) {
		if rs.DeletionTimestamp == nil && rs.Spec.Selector.Matches(pod.Labels) {
			h.wake(rs)
		}
	}
}
