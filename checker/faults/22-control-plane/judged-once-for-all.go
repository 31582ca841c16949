//go:build ignore

// Mistake: A node that was judged is lost, and its pods are deleted without asking again.
// Killed by: clocks-are-not-trusted
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *NodeLifecycleReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	name := request.Name
	node, exists := r.NodeCache.GetByKey(name)
	if exists {
		if left := r.GracePeriod - r.hear(node); left > 0 {
			return kit.Result{RequeueAfter: left}, r.clear(ctx, node)
		}
	}
	r.mu.Lock()
	since := r.news[name].unreachable
	r.mu.Unlock()
	if exists && !since.IsZero() && time.Since(since) >= r.EvictAfter {
		return r.unreachable(ctx, node)
	}
	live, err := r.Nodes.Get(ctx, "", name)
	if kit.IsNotFound(err) {
		return kit.Result{}, r.gone(ctx, name)
	}
	if err != nil {
		return kit.Result{}, fmt.Errorf("ask for node %s: %w", name, err)
	}
	if left := r.GracePeriod - r.hear(live); left > 0 {
		return kit.Result{RequeueAfter: left}, r.clear(ctx, live)
	}
	return r.unreachable(ctx, live)
}
