//go:build ignore

// Mistake: The API server has news of a node that is silent in the cache. So all is well, and the cache will bring the news.
// Killed by: clocks-are-not-trusted
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"fmt"

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
	live, err := r.Nodes.Get(ctx, "", name)
	if kit.IsNotFound(err) {
		return kit.Result{}, r.gone(ctx, name)
	}
	if err != nil {
		return kit.Result{}, fmt.Errorf("ask for node %s: %w", name, err)
	}
	if r.hear(live) < r.GracePeriod {
		return kit.Result{}, r.clear(ctx, live)
	}
	return r.unreachable(ctx, live)
}
