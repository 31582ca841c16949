//go:build ignore

// Mistake: A release that is Invalid is one that somebody else has done already, as upstream has it in ReleasePod.
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
	released.OwnerReferences = slices.DeleteFunc(released.OwnerReferences, func(ref kit.OwnerReference) bool { return ref.UID == rs.UID })
	_, err := r.options.Pods.Update(ctx, released)
	if kit.IsInvalid(err) {
		return nil
	}
	return err
}
