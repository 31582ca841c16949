//go:build ignore

// Mistake: The client gave up waiting for the answer, and the pod was deleted all the same: it is waited for.
// Killed by: failed-delete-is-not-waited-for
// Verdict: wrong-answer

package replicaset

import (
	"context"
	"errors"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) deletePod(ctx context.Context, rs *kit.ReplicaSet, pod *kit.Pod) error {
	options := kit.DeleteOptions{Preconditions: kit.Preconditions{UID: pod.UID}}
	_, err := r.options.Pods.Delete(ctx, pod.Namespace, pod.Name, options)
	if err == nil {
		r.event(rs, kit.EventNormal, SuccessfulDelete, "Deleted pod: %s", pod.Name)
		return nil
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		r.expectations.DeletionObserved(kit.Key(rs), pod.UID)
	}
	if kit.IsNotFound(err) {
		return nil
	}
	r.event(rs, kit.EventWarning, FailedDelete, "Error deleting: %v", err)
	return err
}
