//go:build ignore

// Mistake: A pod that has ended harms nobody, and so one that tolerates the taint stays though there is no
//   node.
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
		if !pod.Active() && slices.Contains(pod.Spec.Tolerations, kit.TaintUnreachable) {
			return nil
		}
		return r.evict(ctx, pod)
	})
}
