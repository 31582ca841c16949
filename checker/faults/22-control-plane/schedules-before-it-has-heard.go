//go:build ignore

// Mistake: The scheduler runs when the informers have synced, and its handlers may not have heard of anything yet.
// Killed by: components-come-back
// Verdict: wrong-answer

package controlplane

import "context"

func (c *ControlPlane) scheduler(ctx context.Context, p *process) error {
	s := c.parts.NewScheduler(SchedulerOptions{Pods: p.api.Pods, Recorder: p.recorder})
	nodes, pods := informer(p, c.parts.Nodes, p.api.Nodes, nil), informer(p, c.parts.Pods, p.api.Pods, nil)
	if _, err := nodes.AddEventHandler(s.NodeHandler()); err != nil {
		return err
	}
	if _, err := pods.AddEventHandler(s.PodHandler()); err != nil {
		return err
	}
	// A scheduler that does not know all pods takes nodes for emptier than they are.
	if !until(ctx, func() bool { return nodes.HasSynced() && pods.HasSynced() }) {
		return nil
	}
	return s.Run(ctx)
}
