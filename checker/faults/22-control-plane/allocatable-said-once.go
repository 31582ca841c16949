//go:build ignore

// Mistake: What a node has to give does not change, so that it is said once, when the node is created.
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
	node.Status.Ready, node.Status.Heartbeat = status.Ready, status.Heartbeat
	_, err = k.Nodes.Update(ctx, node)
	return err
}
