//go:build ignore

// Mistake: Pods that have ended are counted on their nodes.
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
		if pod != nil {
			r.onNode[pod.Spec.NodeName]++
		}
	}
	return r
}
