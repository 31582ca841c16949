//go:build ignore

// Mistake: A pod that tolerates the taint of unreachable nodes stays bound to a node that does not exist.
// Killed by: who-is-evicted
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *NodeLifecycleReconciler) gone(ctx context.Context, name string) error {
	r.mu.Lock()
	delete(r.news, name)
	r.mu.Unlock()
	return r.forPods(ctx, name, func(pod *kit.Pod) error {
		if slices.Contains(pod.Spec.Tolerations, kit.TaintUnreachable) {
			return nil
		}
		return r.evict(ctx, pod)
	})
}
