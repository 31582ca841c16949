//go:build ignore

// Mistake: A component that has ended is started again at once.
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
		failed := worthReporting(life, err)
		c.down()
		cancel()
		if failed {
			onError(err)
		}
		if !c.wait(ctx, pause/1000) {
			return
		}
	}
}
