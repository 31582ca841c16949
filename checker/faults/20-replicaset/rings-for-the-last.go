//go:build ignore

// Mistake: It asks to be called when the last pod becomes available.
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
		if wait > next {
			next = wait
		}
	}
	return next
}
