//go:build ignore

// Mistake: A pod has one ReplicaSet: an adoption takes the place of all references to others.
// Killed by: adopts-orphans
// Verdict: wrong-answer

package replicaset

import (
	"context"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) adopt(ctx context.Context, rs *kit.ReplicaSet, pod *kit.Pod) error {
	adopted := pod.DeepCopy()
	adopted.OwnerReferences = slices.DeleteFunc(adopted.OwnerReferences, func(ref kit.OwnerReference) bool { return ref.Kind == kit.ReplicaSets.Kind })
	adopted.OwnerReferences = append(adopted.OwnerReferences, controllerReference(rs))
	adopted, err := r.options.Pods.Update(ctx, adopted)
	if err == nil {
		r.written.pod(rs, adopted)
	}
	return err
}
