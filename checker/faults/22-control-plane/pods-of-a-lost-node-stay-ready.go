//go:build ignore

// Mistake: What the status of a pod says stands until its kubelet says something else.
// Killed by: a-silent-node-loses-its-pods
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *NodeLifecycleReconciler) notReady(ctx context.Context, pod *kit.Pod) error {
	if !pod.Status.Ready {
		return nil
	}
	pod = pod.DeepCopy()
	pod.Status.Reason = "NodeLost"
	_, err := r.Pods.Update(ctx, pod)
	if kit.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("mark %s: %w", kit.Key(pod), err)
	}
	return nil
}
