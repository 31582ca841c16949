//go:build ignore

// Mistake: An adoption is remembered only where no pod was written before. Later ones are newer.
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
	r.written.mu.Lock()
	known := r.written.marks[kit.Key(rs)].pods > 0
	r.written.mu.Unlock()
	if err == nil && !known {
		r.written.pod(rs, adopted)
	}
	return err
}
