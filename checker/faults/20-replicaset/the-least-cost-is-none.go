//go:build ignore

// Mistake: The smallest int32 is taken for a cost that is beyond 32 bits.
// Killed by: deletion-order
// Verdict: wrong-answer

package replicaset

import (
	"math"
	"strconv"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func deletionCost(pod *kit.Pod) int64 {
	cost, err := strconv.ParseInt(pod.Annotations[kit.PodDeletionCost], 10, 32)
	if err != nil || cost <= math.MinInt32 {
		return 0
	}
	return cost
}
