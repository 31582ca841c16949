//go:build ignore

// Mistake: ReadySince is taken for the time since when a pod is ready. Of one that is not, it says since when it is not.
// Killed by: available-in-time
// Verdict: wrong-answer

package replicaset

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func available(rs *kit.ReplicaSet, pod *kit.Pod, now time.Time) bool {
	if rs.Spec.MinReadySeconds <= 0 {
		return pod.Status.Ready
	}
	return !pod.Status.ReadySince.IsZero() && now.Sub(pod.Status.ReadySince) >= minReady(rs)
}
