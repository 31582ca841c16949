//go:build ignore

// Mistake: What Delete returns has a version, so it is remembered like that of a creation.
// Killed by: own-writes-first
// Verdict: wrong-answer

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) deletePod(ctx context.Context, rs *kit.ReplicaSet, pod *kit.Pod) error {
	options := kit.DeleteOptions{Preconditions: kit.Preconditions{UID: pod.UID}}
	deleted, err := r.options.Pods.Delete(ctx, pod.Namespace, pod.Name, options)
	if err == nil {
		r.written.pod(rs, deleted)
		r.event(rs, kit.EventNormal, SuccessfulDelete, "Deleted pod: %s", pod.Name)
		return nil
	}
	r.expectations.DeletionObserved(kit.Key(rs), pod.UID) // by us: nobody else will
	if kit.IsNotFound(err) {
		return nil
	}
	r.event(rs, kit.EventWarning, FailedDelete, "Error deleting: %v", err)
	return err
}
