//go:build ignore

// Mistake: The status tells what was asked for, as if it were there.
// Killed by: status-counts-replicas
// Verdict: wrong-answer

package replicaset

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func statusOf(rs *kit.ReplicaSet, replicas []*kit.Pod, now time.Time) kit.ReplicaSetStatus {
	status := kit.ReplicaSetStatus{Replicas: max(len(replicas), rs.Spec.Replicas), ObservedGeneration: rs.Generation}
	for _, pod := range replicas {
		if pod.Status.Ready {
			status.ReadyReplicas++
		}
		if available(rs, pod, now) {
			status.AvailableReplicas++
		}
	}
	return status
}
