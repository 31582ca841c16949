//go:build ignore

// Mistake: From the eviction on a pod that tolerates the taint is passed over, and one that comes then stays ready.
// Killed by: who-is-evicted
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *NodeLifecycleReconciler) unreachable(ctx context.Context, node *kit.Node) (kit.Result, error) {
	since := r.judge(node.Name)
	if err := r.mark(ctx, node); err != nil {
		return kit.Result{}, err
	}
	left := r.EvictAfter - time.Since(since)
	if err := r.forPods(ctx, node.Name, func(pod *kit.Pod) error {
		switch {
		case left > 0:
			return r.notReady(ctx, pod)
		case slices.Contains(pod.Spec.Tolerations, kit.TaintUnreachable):
			return nil
		}
		return r.evict(ctx, pod)
	}); err != nil {
		return kit.Result{}, err
	}
	return kit.Result{RequeueAfter: max(left, 0)}, nil
}
