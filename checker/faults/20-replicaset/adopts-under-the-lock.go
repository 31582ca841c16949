//go:build ignore

// Mistake: An adoption and its version are to be one step, so the lock of the written versions is held during the request. A
//   handler that hears of the end of a ReplicaSet waits for it.
// Killed by: own-writes-first
// Verdict: deadlock

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) adopt(ctx context.Context, rs *kit.ReplicaSet, pod *kit.Pod) error {
	adopted := pod.DeepCopy()
	adopted.OwnerReferences = append(adopted.OwnerReferences, controllerReference(rs))
	r.written.mu.Lock()
	defer r.written.mu.Unlock()
	adopted, err := r.options.Pods.Update(ctx, adopted)
	if err == nil {
		was := r.written.marks[kit.Key(rs)]
		r.written.marks[kit.Key(rs)] = mark{uid: rs.UID, pods: max(was.pods, number(adopted.ResourceVersion)), sets: was.sets}
	}
	return err
}
