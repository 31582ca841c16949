//go:build ignore

// Mistake: A pod whose adoption meets a Conflict is read afresh, and is a replica if it has a controller by then.
// Killed by: adopts-orphans
// Verdict: wrong-answer

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) adopt(ctx context.Context, rs *kit.ReplicaSet, pod *kit.Pod) error {
	adopted := pod.DeepCopy()
	adopted.OwnerReferences = append(adopted.OwnerReferences, controllerReference(rs))
	adopted, err := r.options.Pods.Update(ctx, adopted)
	if kit.IsConflict(err) {
		if fresh, _ := r.options.Pods.Get(ctx, pod.Namespace, pod.Name); fresh != nil && fresh.ControllerOf() != nil {
			return nil
		}
	}
	if err == nil {
		r.written.pod(rs, adopted)
	}
	return err
}
