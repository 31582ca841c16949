//go:build ignore

// Mistake: OnError gets what a sweep has returned, whether or not that is an error.
// Killed by: options-reach-the-parts
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"time"
)

func (c *ControlPlane) sweeper(ctx context.Context, p *process) error {
	tick := time.NewTicker(c.options.SweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		c.options.OnError(EventSweeper, SweepEvents(ctx, p.api.Events, c.options.EventTTL))
	}
}
