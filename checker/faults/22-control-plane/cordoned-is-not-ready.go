//go:build ignore

// Mistake: A node on which nothing may be scheduled stays as it was called: not ready.
// Killed by: heartbeats-go-on
// Verdict: wrong-answer

package controlplane

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (k *Kubelet) report(ctx context.Context) error {
	status := kit.NodeStatus{Allocatable: k.Allocatable, Ready: true, Heartbeat: k.Now()}
	node, err := k.Nodes.Get(ctx, "", k.Node)
	if kit.IsNotFound(err) {
		node = kit.Nodes.New()
		node.Name, node.Labels, node.Status = k.Node, k.Labels, status
		_, err = k.Nodes.Create(ctx, node)
		return err
	}
	if err != nil {
		return err
	}
	status.Ready = node.Status.Ready || !node.Spec.Unschedulable
	node.Status = status
	_, err = k.Nodes.Update(ctx, node)
	return err
}
