//go:build ignore

// Mistake: A namespace that is being deleted is an error like any other.
// Killed by: terminating-namespace
// Verdict: wrong-answer

package replicaset

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) createPod(ctx context.Context, rs *kit.ReplicaSet) error {
	pod, err := r.options.Pods.Create(ctx, newPod(rs))
	switch {
	case err != nil:
		r.event(rs, kit.EventWarning, FailedCreate, "Error creating: %v", err)
		return err
	}
	r.written.pod(rs, pod)
	r.event(rs, kit.EventNormal, SuccessfulCreate, "Created pod: %s", pod.Name)
	return nil
}
