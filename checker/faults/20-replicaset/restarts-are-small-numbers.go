//go:build ignore

// Mistake: Restarts are compared in 16 bits: the difference of large numbers has the wrong sign.
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
		r.onNode[b.Spec.NodeName]-r.onNode[a.Spec.NodeName],
		r.readyFor(a, b),
		int(int16(b.Status.Restart-a.Status.Restart)),
		r.newerFirst(a.CreationTimestamp, b.CreationTimestamp, a, b),
	)
}
