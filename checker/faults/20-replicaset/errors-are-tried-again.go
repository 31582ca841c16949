//go:build ignore

// Mistake: An Update of a pod that fails is tried again, whatever the error.
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
	if err != nil && !kit.IsConflict(err) {
		adopted = pod.DeepCopy()
		adopted.OwnerReferences = append(adopted.OwnerReferences, controllerReference(rs))
		adopted, err = r.options.Pods.Update(ctx, adopted)
	}
	if err == nil {
		r.written.pod(rs, adopted)
	}
	return err
}
