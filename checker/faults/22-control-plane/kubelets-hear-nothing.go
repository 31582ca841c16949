//go:build ignore

// Mistake: A kubelet looks at its pods when it starts, and nobody tells it of others.
// Killed by: ten-steps
// Verdict: wrong-answer

package controlplane

import "context"

func (c *ControlPlane) kubelet(ctx context.Context, p *process, m Machine) error {
	if !until(ctx, c.pods.HasSynced) {
		return nil
	}
	k := NewKubelet(KubeletOptions{
		Node: m.Name, Labels: m.Labels, Allocatable: m.Allocatable,
		Pods: p.api.Pods, Nodes: p.api.Nodes, PodCache: c.pods.GetIndexer(),
		Life: c.options.Life, Heartbeat: c.options.Heartbeat, Now: m.Now,
		Recorder: p.recorder,
	})
	defer c.present(m.Name, nil)
	return k.Run(ctx)
}
