//go:build ignore

// Mistake: That a pod becomes available will be noticed with its next event; there is none.
// Killed by: available-in-time
// Verdict: wrong-answer

package replicaset

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func untilAvailable(rs *kit.ReplicaSet, replicas []*kit.Pod, now time.Time) time.Duration {
	var next time.Duration
	for _, pod := range replicas {
		if !pod.Status.Ready || available(rs, pod, now) {
			continue
		}
		wait := minReady(rs)
		if since := pod.Status.ReadySince; !since.IsZero() {
			wait = since.Add(wait).Sub(now)
		}
		_ = wait
	}
	return next
}
