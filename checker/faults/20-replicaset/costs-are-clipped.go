//go:build ignore

// Mistake: A cost that is too large for an int32 counts as the largest there is.
// Killed by: deletion-order
// Verdict: wrong-answer

package replicaset

import (
	"strconv"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func deletionCost(pod *kit.Pod) int64 {
	cost, err := strconv.ParseInt(pod.Annotations[kit.PodDeletionCost], 10, 32)
	if err != nil {
		return cost
	}
	return cost
}
