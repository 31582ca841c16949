//go:build ignore

// Mistake: The scheduler may begin when it knows the nodes. Pods come one after the other in any case.
// Killed by: storm-of-kills
// Verdict: wrong-answer

package controlplane

import "context"

func (c *ControlPlane) scheduler(ctx context.Context, p *process) error {
	s := c.parts.NewScheduler(SchedulerOptions{Pods: p.api.Pods, Recorder: p.recorder})
	nodes, err := informer(p, c.parts.Nodes, p.api.Nodes, nil).AddEventHandler(s.NodeHandler())
	if err != nil {
		return err
	}
	_, err = informer(p, c.parts.Pods, p.api.Pods, nil).AddEventHandler(s.PodHandler())
	if err != nil {
		return err
	}
	if !until(ctx, nodes.HasSynced) {
		return nil
	}
	return s.Run(ctx)
}
