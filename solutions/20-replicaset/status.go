package replicaset

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// statusTries is how often a status is written that others keep getting in the way of.
const statusTries = 3

// statusOf counts the replicas.
func statusOf(rs *kit.ReplicaSet, replicas []*kit.Pod, now time.Time) kit.ReplicaSetStatus {
	status := kit.ReplicaSetStatus{Replicas: len(replicas), ObservedGeneration: rs.Generation}
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

func available(rs *kit.ReplicaSet, pod *kit.Pod, now time.Time) bool {
	if !pod.Status.Ready || rs.Spec.MinReadySeconds <= 0 {
		return pod.Status.Ready
	}
	return !pod.Status.ReadySince.IsZero() && now.Sub(pod.Status.ReadySince) >= minReady(rs)
}

func minReady(rs *kit.ReplicaSet) time.Duration {
	return time.Duration(rs.Spec.MinReadySeconds) * time.Second
}

// untilAvailable is how long it takes until the next of the ready replicas is available,
// and zero if all are. No event will report that moment: nothing changes but the time.
func untilAvailable(rs *kit.ReplicaSet, replicas []*kit.Pod, now time.Time) time.Duration {
	var next time.Duration
	for _, pod := range replicas {
		if !pod.Status.Ready || available(rs, pod, now) {
			continue
		}
		wait := minReady(rs) // of a pod that does not say since when, which is all we know
		if since := pod.Status.ReadySince; !since.IsZero() {
			wait = since.Add(wait).Sub(now)
		}
		if next == 0 || wait < next {
			next = wait
		}
	}
	return next
}

// updateStatus writes the status, if it is new, over whatever else has changed meanwhile.
//
// On a conflict the fresh object gets the status, never the old object the fresh version:
// that would be accepted just as well, and would take back what the other writer wrote.
// The status keeps its ObservedGeneration, because nobody has acted on the fresh spec.
func (r *ReplicaSetReconciler) updateStatus(ctx context.Context, rs *kit.ReplicaSet, status kit.ReplicaSetStatus) error {
	if rs.Status == status {
		return nil
	}
	for try := 1; ; try++ {
		next := rs.DeepCopy()
		next.Status = status
		stored, err := r.options.ReplicaSets.Update(ctx, next)
		if err == nil {
			r.written.set(stored)
			return nil
		}
		if !kit.IsConflict(err) || try == statusTries {
			return err
		}
		if rs, err = r.options.ReplicaSets.Get(ctx, rs.Namespace, rs.Name); err != nil {
			return err
		}
	}
}
