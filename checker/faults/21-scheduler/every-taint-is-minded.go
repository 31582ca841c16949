//go:build ignore

// Mistake: A taint that the pod does not tolerate costs the node its score, whatever its effect is.
// Killed by: score-spreads
// Verdict: wrong-answer

package scheduler

import (
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func PreferUntainted(pod *kit.Pod, node NodeInfo) int64 {
	for _, taint := range node.Node.Spec.Taints {
		if !slices.Contains(pod.Spec.Tolerations, taint.Key) {
			return 0
		}
	}
	return 100
}
