//go:build ignore

// Mistake: The heartbeat needs no pods, and the kubelet will hear of those in time: nobody waits for the shared informer.
// Killed by: storm-of-kills
// Verdict: wrong-answer

package controlplane

import "context"

func (c *ControlPlane) kubelet(ctx context.Context, p *process, m Machine) error {
	k := NewKubelet(KubeletOptions{
		Node: m.Name, Labels: m.Labels, Allocatable: m.Allocatable,
		Pods: p.api.Pods, Nodes: p.api.Nodes, PodCache: c.pods.GetIndexer(),
		Life: c.options.Life, Heartbeat: c.options.Heartbeat, Now: m.Now,
		Recorder: p.recorder,
	})
	c.present(m.Name, k)
	defer c.present(m.Name, nil)
	return k.Run(ctx)
}
