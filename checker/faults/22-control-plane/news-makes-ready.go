//go:build ignore

// Mistake: News of a node ends all that was written about it, that it is not ready, too: the reconciler sets it ready.
// Killed by: who-is-evicted
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"fmt"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *NodeLifecycleReconciler) clear(ctx context.Context, node *kit.Node) error {
	if !slices.ContainsFunc(node.Spec.Taints, unreachableTaint) {
		return nil
	}
	node = node.DeepCopy()
	node.Spec.Taints = slices.DeleteFunc(node.Spec.Taints, unreachableTaint)
	node.Status.Ready = true
	if _, err := r.Nodes.Update(ctx, node); err != nil {
		return fmt.Errorf("clear node %s: %w", node.Name, err)
	}
	r.Recorder.Eventf(kit.ReferenceTo(kit.Nodes, node), kit.EventNormal, "NodeReachable", "There is news of node %s", node.Name)
	return nil
}
