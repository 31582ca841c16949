//go:build ignore

// Mistake: A pod is deleted by its name; that it may be another one by now is not thought of.
// Killed by: who-is-evicted
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *NodeLifecycleReconciler) evict(ctx context.Context, pod *kit.Pod) error {
	if pod.DeletionTimestamp != nil {
		return nil
	}
	_, err := r.Pods.Delete(ctx, pod.Namespace, pod.Name, kit.DeleteOptions{})
	if kit.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("evict %s: %w", kit.Key(pod), err)
	}
	r.Recorder.Eventf(kit.ReferenceTo(kit.Pods, pod), kit.EventWarning, "Evicted", "Node %s is lost", pod.Spec.NodeName)
	return nil
}
