//go:build ignore

// Mistake: A node of which there was news once has lost its taints, and need not be looked at again.
// Killed by: clocks-are-not-trusted
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type NodeLifecycleReconciler struct {
	NodeLifecycleOptions

	cleared sync.Map

	mu   sync.Mutex
	news map[string]sighted
}

func (r *NodeLifecycleReconciler) clear(ctx context.Context, node *kit.Node) error {
	if !r.heard(node.Name) || !slices.ContainsFunc(node.Spec.Taints, unreachableTaint) {
		return nil
	}
	if _, done := r.cleared.Load(node.Name); done {
		return nil
	}
	node = node.DeepCopy()
	node.Spec.Taints = slices.DeleteFunc(node.Spec.Taints, unreachableTaint)
	if _, err := r.Nodes.Update(ctx, node); err != nil {
		return fmt.Errorf("clear node %s: %w", node.Name, err)
	}
	r.cleared.Store(node.Name, true)
	r.Recorder.Eventf(kit.ReferenceTo(kit.Nodes, node), kit.EventNormal, "NodeReachable", "There is news of node %s", node.Name)
	return nil
}
