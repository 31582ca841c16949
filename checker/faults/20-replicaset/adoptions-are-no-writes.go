//go:build ignore

// Mistake: Only creations are remembered. The next Reconcile adopts again what it has adopted.
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
	return err
}
