//go:build ignore

// Mistake: A pod that was gone already is reported as one that this controller has deleted.
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
	if err != nil {
		r.expectations.DeletionObserved(kit.Key(rs), pod.UID)
	}
	if err == nil || kit.IsNotFound(err) {
		r.event(rs, kit.EventNormal, SuccessfulDelete, "Deleted pod: %s", pod.Name)
		return nil
	}
	r.event(rs, kit.EventWarning, FailedDelete, "Error deleting: %v", err)
	return err
}
