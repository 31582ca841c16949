//go:build ignore

// Mistake: The client gave up waiting for the answer, and the pod was created all the same: it is waited for (kubernetes#67662).
// Killed by: quota-stops-the-burst
// Verdict: wrong-answer

package replicaset

import (
	"context"
	"errors"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *ReplicaSetReconciler) createPod(ctx context.Context, rs *kit.ReplicaSet) error {
	pod, err := r.options.Pods.Create(ctx, newPod(rs))
	switch {
	case IsNamespaceTerminating(err) || errors.Is(err, context.DeadlineExceeded):
		return nil
	case err != nil:
		r.event(rs, kit.EventWarning, FailedCreate, "Error creating: %v", err)
		return err // not nil: it is what stops the next batch
	}
	r.written.pod(rs, pod)
	r.event(rs, kit.EventNormal, SuccessfulCreate, "Created pod: %s", pod.Name)
	return nil
}
