//go:build ignore

// Mistake: A failed deletion is lowered and recorded in one step, under the lock of the expectations. A handler that is
//   called meanwhile waits for it.
// Killed by: sets-side-by-side
// Verdict: deadlock

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
	r.expectations.DeletionObserved(kit.Key(rs), pod.UID)
	if kit.IsNotFound(err) {
		return nil
	}
	r.expectations.mu.Lock()
	defer r.expectations.mu.Unlock()
	r.event(rs, kit.EventWarning, FailedDelete, "Error deleting: %v", err)
	return err
}
