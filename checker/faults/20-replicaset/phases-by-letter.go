//go:build ignore

// Mistake: The phases are compared as strings: Running comes before Unknown.
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
		strings.Compare(string(a.Status.Phase), string(b.Status.Phase)),
		falseFirst(a.Status.Ready, b.Status.Ready),
		cmp.Compare(deletionCost(a), deletionCost(b)),
		r.onNode[b.Spec.NodeName]-r.onNode[a.Spec.NodeName],
		r.readyFor(a, b),
		b.Status.Restart-a.Status.Restart,
		r.newerFirst(a.CreationTimestamp, b.CreationTimestamp, a, b),
	)
}
