//go:build ignore

// Mistake: If the API server does not say what it knows of a node, the cache is asked instead: a refusal counts as silence.
// Killed by: who-is-evicted
// Verdict: wrong-answer

package controlplane

import (
	"context"

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
		if !exists {
			return kit.Result{}, err
		}
		live = node
	}
	if left := r.GracePeriod - r.hear(live); left > 0 {
		return kit.Result{RequeueAfter: left}, r.clear(ctx, live)
	}
	return r.unreachable(ctx, live)
}
