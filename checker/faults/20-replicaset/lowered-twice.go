//go:build ignore

// Mistake: A creation that fails is lowered on the spot, and again when the skipped ones are counted. It
//   makes up for a pod that has not been seen.
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
		r.event(rs, kit.EventWarning, FailedCreate, "Error creating: %v", err)
		r.expectations.CreationObserved(kit.Key(rs))
		return err
	}
	r.written.pod(rs, pod)
	r.event(rs, kit.EventNormal, SuccessfulCreate, "Created pod: %s", pod.Name)
	return nil
}
