//go:build ignore

// Mistake: A release removes all references to ReplicaSets.
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
	released.OwnerReferences = slices.DeleteFunc(released.OwnerReferences, func(ref kit.OwnerReference) bool { return ref.UID == rs.UID || ref.Kind == kit.ReplicaSets.Kind })
	_, err := r.options.Pods.Update(ctx, released)
	return err
}
