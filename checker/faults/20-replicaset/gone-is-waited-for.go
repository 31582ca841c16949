//go:build ignore

// Mistake: A pod that was not found has been deleted, so its deletion will be observed. It was, before it was
//   expected.
// Killed by: failed-delete-is-not-waited-for
// Verdict: wrong-answer

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) deletePod(ctx context.Context, rs *kit.ReplicaSet, pod *kit.Pod) error {
	options := kit.DeleteOptions{Preconditions: kit.Preconditions{UID: pod.UID}}
	_, err := r.options.Pods.Delete(ctx, pod.Namespace, pod.Name, options)
	if err == nil {
		r.event(rs, kit.EventNormal, SuccessfulDelete, "Deleted pod: %s", pod.Name)
		return nil
	}
	if kit.IsNotFound(err) {
		return nil
	}
	r.expectations.DeletionObserved(kit.Key(rs), pod.UID)
	r.event(rs, kit.EventWarning, FailedDelete, "Error deleting: %v", err)
	return err
}
