//go:build ignore

// Mistake: A ready replica that does not say since when it is ready is looked at first, and its time is not compared with those of the others.
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
		since := pod.Status.ReadySince
		if since.IsZero() {
			return minReady(rs)
		}
		if wait := since.Add(minReady(rs)).Sub(now); next == 0 || wait < next {
			next = wait
		}
	}
	return next
}
