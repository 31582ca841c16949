//go:build ignore

// Mistake: The labels are for the first creation of the node; somebody who deletes it wants them gone.
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
		k.Labels = nil
		_, err = k.Nodes.Create(ctx, node)
		return err
	}
	if err != nil {
		return err
	}
	node.Status = status
	_, err = k.Nodes.Update(ctx, node)
	return err
}
