//go:build ignore

// Mistake: The sweeper takes DefaultEventTTL, whatever the options say.
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
		if err := SweepEvents(ctx, p.api.Events, DefaultEventTTL); worthReporting(ctx, err) {
			c.options.OnError(EventSweeper, err)
		}
	}
}
