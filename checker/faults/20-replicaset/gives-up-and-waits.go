//go:build ignore

// Mistake: When the context is done, a deletion is not asked for, and stays expected.
// Killed by: failed-delete-is-not-waited-for
// Verdict: wrong-answer

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) deletePod(ctx context.Context, rs *kit.ReplicaSet, pod *kit.Pod) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	options := kit.DeleteOptions{Preconditions: kit.Preconditions{UID: pod.UID}}
	_, err := r.options.Pods.Delete(ctx, pod.Namespace, pod.Name, options)
	if err == nil {
		r.event(rs, kit.EventNormal, SuccessfulDelete, "Deleted pod: %s", pod.Name)
		return nil
	}
	r.expectations.DeletionObserved(kit.Key(rs), pod.UID)
	if kit.IsNotFound(err) {
		return nil
	}
	r.event(rs, kit.EventWarning, FailedDelete, "Error deleting: %v", err)
	return err
}
