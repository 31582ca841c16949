//go:build ignore

// Mistake: A refused write to the node withdraws the judgement, and its pods are kept for five minutes more.
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
		r.mu.Lock()
		last := r.news[node.Name]
		last.unreachable = time.Time{}
		r.news[node.Name] = last
		r.mu.Unlock()
		return kit.Result{}, err
	}
	left := r.EvictAfter - time.Since(since)
	if err := r.forPods(ctx, node.Name, func(pod *kit.Pod) error {
		if left <= 0 && !slices.Contains(pod.Spec.Tolerations, kit.TaintUnreachable) {
			return r.evict(ctx, pod)
		}
		return r.notReady(ctx, pod)
	}); err != nil {
		return kit.Result{}, err
	}
	return kit.Result{RequeueAfter: max(left, 0)}, nil
}
