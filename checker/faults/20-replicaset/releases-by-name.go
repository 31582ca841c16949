//go:build ignore

// Mistake: The reference to be removed is looked up by name and UID.
// Killed by: releases-what-does-not-match
// Verdict: wrong-answer

package replicaset

import (
	"context"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) release(ctx context.Context, rs *kit.ReplicaSet, pod *kit.Pod) error {
	released := pod.DeepCopy()
	released.OwnerReferences = slices.DeleteFunc(released.OwnerReferences, func(ref kit.OwnerReference) bool { return ref.UID == rs.UID && ref.Name == rs.Name })
	_, err := r.options.Pods.Update(ctx, released)
	return err
}
