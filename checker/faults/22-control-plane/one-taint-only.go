//go:build ignore

// Mistake: No new pods is all that a taint is for.
// Killed by: a-silent-node-loses-its-pods
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"fmt"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *NodeLifecycleReconciler) mark(ctx context.Context, node *kit.Node) error {
	marked := node.DeepCopy()
	marked.Status.Ready = false
	for _, effect := range []kit.TaintEffect{kit.TaintNoSchedule} {
		taint := kit.Taint{Key: kit.TaintUnreachable, Effect: effect}
		if !slices.ContainsFunc(marked.Spec.Taints, func(t kit.Taint) bool { return t.Key == taint.Key && t.Effect == effect }) {
			marked.Spec.Taints = append(marked.Spec.Taints, taint)
		}
	}
	if kit.Nodes.Equal(marked, node) {
		return nil
	}
	if _, err := r.Nodes.Update(ctx, marked); err != nil {
		return fmt.Errorf("mark node %s: %w", node.Name, err)
	}
	r.Recorder.Eventf(kit.ReferenceTo(kit.Nodes, node), kit.EventWarning, "NodeNotReady", "There was no news of node %s for %v", node.Name, r.GracePeriod)
	return nil
}
