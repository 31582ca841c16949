//go:build ignore

// Mistake: Nobody sweeps: a log is a log.
// Killed by: scaled-and-deleted
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
		if err := SweepEvents(ctx, p.api.Events, 1000*c.options.EventTTL); worthReporting(ctx, err) {
			c.options.OnError(EventSweeper, err)
		}
	}
}
