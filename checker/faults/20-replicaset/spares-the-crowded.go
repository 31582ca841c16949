//go:build ignore

// Mistake: The pod on the emptier node goes first.
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
		falseFirst(a.Status.Ready, b.Status.Ready),
		cmp.Compare(deletionCost(a), deletionCost(b)),
		r.onNode[a.Spec.NodeName]-r.onNode[b.Spec.NodeName],
		r.readyFor(a, b),
		b.Status.Restart-a.Status.Restart,
		r.newerFirst(a.CreationTimestamp, b.CreationTimestamp, a, b),
	)
}
