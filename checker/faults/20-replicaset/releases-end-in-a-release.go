//go:build ignore

// Mistake: A pod that was to be released and is free on a second look needs nothing more, whatever its labels are now.
// Killed by: adopts-orphans
// Verdict: wrong-answer

package replicaset

import (
	"context"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) release(ctx context.Context, rs *kit.ReplicaSet, pod *kit.Pod) error {
	released := pod.DeepCopy()
	released.OwnerReferences = slices.DeleteFunc(released.OwnerReferences, func(ref kit.OwnerReference) bool { return ref.UID == rs.UID })
	_, err := r.options.Pods.Update(ctx, released)
	if kit.IsConflict(err) {
		fresh, getErr := r.options.Pods.Get(ctx, pod.Namespace, pod.Name)
		if getErr == nil && fresh.ControllerOf() == nil {
			return nil
		}
	}
	return err
}
