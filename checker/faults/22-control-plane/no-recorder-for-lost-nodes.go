//go:build ignore

// Mistake: The node lifecycle reconciler is given no Recorder, and stops at its first event.
// Killed by: options-reach-the-parts
// Verdict: wrong-answer

package controlplane

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *ControlPlane) nodeLifecycle(ctx context.Context, p *process) error {
	nodes := informer(p, c.parts.Nodes, p.api.Nodes, nil)
	pods := informer(p, c.parts.Pods, p.api.Pods, map[string]kit.IndexFunc[*kit.Pod]{NodeIndex: ByNode})
	r := NewNodeLifecycleReconciler(NodeLifecycleOptions{
		Nodes: p.api.Nodes, Pods: p.api.Pods, NodeCache: nodes.GetIndexer(), PodCache: pods.GetIndexer(),
		GracePeriod: c.options.GracePeriod, EvictAfter: c.options.EvictAfter,
	})
	return c.control(ctx, NodeLifecycleController, r, c.parts.NewQueue(),
		feed(c.parts.Nodes, nodes, r.NodeHandler),
		feed(c.parts.Pods, pods, r.PodHandler))
}
