//go:build ignore

// Mistake: The deletion cost is asked before readiness.
// Killed by: deletion-order
// Verdict: wrong-answer

package replicaset

import (
	"cmp"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r ranking) compare(a, b *kit.Pod) int {
	return cmp.Or(
		falseFirst(a.Spec.NodeName != "", b.Spec.NodeName != ""),
		phases[a.Status.Phase]-phases[b.Status.Phase],
		cmp.Compare(deletionCost(a), deletionCost(b)),
		falseFirst(a.Status.Ready, b.Status.Ready),
		r.onNode[b.Spec.NodeName]-r.onNode[a.Spec.NodeName],
		r.readyFor(a, b),
		b.Status.Restart-a.Status.Restart,
		r.newerFirst(a.CreationTimestamp, b.CreationTimestamp, a, b),
	)
}
