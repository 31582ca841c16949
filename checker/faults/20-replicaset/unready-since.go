//go:build ignore

// Mistake: Since when a pod is ready is compared though it is not ready.
// Killed by: deletion-order
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (r ranking) readyFor(a, b *kit.Pod) int {
	if a == b {
		return 0
	}
	return r.newerFirst(a.Status.ReadySince, b.Status.ReadySince, a, b)
}
