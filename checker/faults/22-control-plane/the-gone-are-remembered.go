//go:build ignore

// Mistake: A node that is gone is not forgotten, and the next one of its name is taken for it.
// Killed by: clocks-are-not-trusted
// Verdict: wrong-answer

package controlplane

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *NodeLifecycleReconciler) gone(ctx context.Context, name string) error {
	return r.forPods(ctx, name, func(pod *kit.Pod) error { return r.evict(ctx, pod) })
}
