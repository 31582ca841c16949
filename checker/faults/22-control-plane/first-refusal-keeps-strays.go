//go:build ignore

// Mistake: The first pod of a missing node that cannot be deleted keeps the others.
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
	var first error
	err := r.forPods(ctx, name, func(pod *kit.Pod) error {
		if first == nil {
			first = r.evict(ctx, pod)
		}
		return first
	})
	return err
}
