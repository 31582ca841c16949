//go:build ignore

// Mistake: The pod from the cache is changed and sent: a copy seems a waste.
// Killed by: caches-stay-as-they-are
// Verdict: wrong-answer

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) adopt(ctx context.Context, rs *kit.ReplicaSet, pod *kit.Pod) error {
	adopted := pod
	adopted.OwnerReferences = append(adopted.OwnerReferences, controllerReference(rs))
	adopted, err := r.options.Pods.Update(ctx, adopted)
	if err == nil {
		r.written.pod(rs, adopted)
	}
	return err
}
