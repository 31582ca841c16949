//go:build ignore

// Mistake: Nobody wants a component that was killed.
// Killed by: components-come-back
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"time"
)

func (c *component) supervise(ctx context.Context, pause time.Duration, onError func(err error)) {
	for c.wait(ctx, 0) {
		life, cancel := context.WithCancel(ctx)
		if !c.up(cancel) {
			cancel()
			continue
		}
		err := c.run(life)
		killed, failed := life.Err() != nil, worthReporting(life, err)
		c.down()
		cancel()
		if failed {
			onError(err)
		}
		if killed || !c.wait(ctx, pause) {
			return
		}
	}
}
