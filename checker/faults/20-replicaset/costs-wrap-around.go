//go:build ignore

// Mistake: A deletion cost is cut to 32 bits after a look at whether it is too large, and not at whether it is too
//   small.
// Killed by: deletion-order
// Verdict: wrong-answer

package replicaset

import (
	"math"
	"strconv"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func deletionCost(pod *kit.Pod) int64 {
	cost, err := strconv.ParseInt(pod.Annotations[kit.PodDeletionCost], 10, 64)
	if err != nil || cost > math.MaxInt32 {
		return 0
	}
	return int64(int32(cost))
}
