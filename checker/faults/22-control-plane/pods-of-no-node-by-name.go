//go:build ignore

// Mistake: A pod of a node that does not exist is deleted by its name: it cannot be another one by now.
// Killed by: who-is-evicted
// Verdict: wrong-answer

package controlplane

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *NodeLifecycleReconciler) gone(ctx context.Context, name string) error {
	r.mu.Lock()
	delete(r.news, name)
	r.mu.Unlock()
	return r.forPods(ctx, name, func(pod *kit.Pod) error {
		_, err := r.Pods.Delete(ctx, pod.Namespace, pod.Name, kit.DeleteOptions{})
		if kit.IsNotFound(err) {
			return nil
		}
		return err
	})
}
