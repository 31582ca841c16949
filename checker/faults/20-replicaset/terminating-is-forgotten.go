//go:build ignore

// Mistake: In a namespace that is being deleted nothing is expected, and so it is tried again with each
//   event.
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
	case IsNamespaceTerminating(err):
		r.expectations.CreationObserved(kit.Key(rs))
		return nil
	case err != nil:
		r.event(rs, kit.EventWarning, FailedCreate, "Error creating: %v", err)
		return err
	}
	r.written.pod(rs, pod)
	r.event(rs, kit.EventNormal, SuccessfulCreate, "Created pod: %s", pod.Name)
	return nil
}
