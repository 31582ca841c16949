//go:build ignore

// Mistake: Costs are compared as strings: "10" is less than "9".
// Killed by: deletion-order
// Verdict: wrong-answer

package replicaset

import (
	"cmp"
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r ranking) compare(a, b *kit.Pod) int {
	return cmp.Or(
		falseFirst(a.Spec.NodeName != "", b.Spec.NodeName != ""),
		phases[a.Status.Phase]-phases[b.Status.Phase],
		falseFirst(a.Status.Ready, b.Status.Ready),
		strings.Compare(a.Annotations[kit.PodDeletionCost], b.Annotations[kit.PodDeletionCost]),
		r.onNode[b.Spec.NodeName]-r.onNode[a.Spec.NodeName],
		r.readyFor(a, b),
		b.Status.Restart-a.Status.Restart,
		r.newerFirst(a.CreationTimestamp, b.CreationTimestamp, a, b),
	)
}
