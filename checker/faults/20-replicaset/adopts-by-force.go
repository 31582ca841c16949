//go:build ignore

// Mistake: After a conflict the pod of the cache is sent once more, with the fresh version, and what a user has changed
//   is taken back.
// Killed by: adopts-orphans
// Verdict: wrong-answer

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) adopt(ctx context.Context, rs *kit.ReplicaSet, pod *kit.Pod) error {
	mine := pod.DeepCopy()
	mine.OwnerReferences = append(mine.OwnerReferences, controllerReference(rs))
	adopted, err := r.options.Pods.Update(ctx, mine)
	if kit.IsConflict(err) {
		fresh, getErr := r.options.Pods.Get(ctx, pod.Namespace, pod.Name)
		if getErr != nil || !fresh.Active() || fresh.ControllerOf() != nil || !rs.Spec.Selector.Matches(fresh.Labels) {
			return err
		}
		mine.ResourceVersion = fresh.ResourceVersion
		adopted, err = r.options.Pods.Update(ctx, mine)
	}
	if err == nil {
		r.written.pod(rs, adopted)
	}
	return err
}
