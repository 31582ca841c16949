//go:build ignore

// Mistake: The wait is over, and the scheduler may run. That ctx has ended it is overlooked.
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
	pods, err := informer(p, c.parts.Pods, p.api.Pods, nil).AddEventHandler(s.PodHandler())
	if err != nil {
		return err
	}
	until(ctx, func() bool { return nodes.HasSynced() && pods.HasSynced() })
	return s.Run(ctx)
}
