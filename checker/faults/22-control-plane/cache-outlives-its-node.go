//go:build ignore

// Mistake: A node that is gone at the API server will be gone in the cache, too: there is time until then.
// Killed by: who-is-evicted
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
	if kit.IsNotFound(err) && exists {
		return kit.Result{RequeueAfter: r.GracePeriod}, nil
	}
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
