//go:build ignore

// Mistake: A pod that does not run yet takes no room on its node.
// Killed by: deletion-order
// Verdict: wrong-answer

package replicaset

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func newRanking(related []*kit.Pod, now time.Time) ranking {
	r := ranking{now: now, onNode: map[string]int{}}
	for _, pod := range related {
		if pod.Active() && pod.Status.Phase == kit.PodRunning {
			r.onNode[pod.Spec.NodeName]++
		}
	}
	return r
}
