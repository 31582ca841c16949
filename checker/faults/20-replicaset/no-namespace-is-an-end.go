//go:build ignore

// Mistake: A namespace that is not found is taken for one that is being deleted: no error, and nobody tries again.
// Killed by: quota-stops-the-burst
// Verdict: wrong-answer

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) createPod(ctx context.Context, rs *kit.ReplicaSet) error {
	pod, err := r.options.Pods.Create(ctx, newPod(rs))
	switch {
	case IsNamespaceTerminating(err) || kit.IsNotFound(err):
		return nil
	case err != nil:
		r.event(rs, kit.EventWarning, FailedCreate, "Error creating: %v", err)
		return err // not nil: it is what stops the next batch
	}
	r.written.pod(rs, pod)
	r.event(rs, kit.EventNormal, SuccessfulCreate, "Created pod: %s", pod.Name)
	return nil
}
