//go:build ignore

// Mistake: An informer that runs takes every handler. (It does not when it has stopped, since the component was killed.)
// Killed by: components-come-back
// Verdict: panic

package controlplane

import "context"

func (c *ControlPlane) scheduler(ctx context.Context, p *process) error {
	s := c.parts.NewScheduler(SchedulerOptions{Pods: p.api.Pods, Recorder: p.recorder})
	nodes, _ := informer(p, c.parts.Nodes, p.api.Nodes, nil).AddEventHandler(s.NodeHandler())
	pods, _ := informer(p, c.parts.Pods, p.api.Pods, nil).AddEventHandler(s.PodHandler())
	if !until(ctx, func() bool { return nodes.HasSynced() && pods.HasSynced() }) {
		return nil
	}
	return s.Run(ctx)
}
