//go:build ignore

// Mistake: The time until the first of the ready pods is available counts, and not that until the next.
// Killed by: available-in-time
// Verdict: wrong-answer

package replicaset

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func untilAvailable(rs *kit.ReplicaSet, replicas []*kit.Pod, now time.Time) time.Duration {
	for _, pod := range replicas {
		if !pod.Status.Ready || available(rs, pod, now) {
			continue
		}
		wait := minReady(rs)
		if since := pod.Status.ReadySince; !since.IsZero() {
			wait = since.Add(wait).Sub(now)
		}
		return wait
	}
	return 0
}
