//go:build ignore

// Mistake: The caller's slice is sorted.
// Killed by: deletion-order
// Verdict: wrong-answer

package replicaset

import (
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func PodsToDelete(pods, related []*kit.Pod, count int) []*kit.Pod {
	chosen := pods
	if count >= len(chosen) {
		return chosen
	}
	slices.SortFunc(chosen, newRanking(related, time.Now()).compare)
	return chosen[:max(count, 0)]
}
