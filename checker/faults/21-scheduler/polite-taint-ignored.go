//go:build ignore

// Mistake: PreferNoSchedule keeps nobody away, so it is not looked at at all.
// Killed by: score-spreads
// Verdict: wrong-answer

package scheduler

import (
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func PreferUntainted(pod *kit.Pod, node NodeInfo) int64 {
	for _, taint := range node.Node.Spec.Taints {
		if taint.Effect == "" && !slices.Contains(pod.Spec.Tolerations, taint.Key) {
			return 0
		}
	}
	return 100
}
