//go:build ignore

// Mistake: A pod that is ready since a moment to come is not available yet, even with MinReadySeconds 0.
// Killed by: available-in-time
// Verdict: wrong-answer

package replicaset

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func available(rs *kit.ReplicaSet, pod *kit.Pod, now time.Time) bool {
	if !pod.Status.Ready {
		return false
	}
	if pod.Status.ReadySince.IsZero() {
		return rs.Spec.MinReadySeconds <= 0
	}
	return now.Sub(pod.Status.ReadySince) >= minReady(rs)
}
