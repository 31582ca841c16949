//go:build ignore

// Mistake: A creation that fails when the context is done is no event: somebody wanted it to end.
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
	case IsNamespaceTerminating(err):
		return nil
	case err != nil:
		if ctx.Err() == nil {
			r.event(rs, kit.EventWarning, FailedCreate, "Error creating: %v", err)
		}
		return err
	}
	r.written.pod(rs, pod)
	r.event(rs, kit.EventNormal, SuccessfulCreate, "Created pod: %s", pod.Name)
	return nil
}
