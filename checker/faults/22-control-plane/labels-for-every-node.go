//go:build ignore

// Mistake: A node without labels gets those of the options, also if somebody else has made it.
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
	node.Status = status
	if len(node.Labels) == 0 {
		node.Labels = k.Labels
	}
	_, err = k.Nodes.Update(ctx, node)
	return err
}
