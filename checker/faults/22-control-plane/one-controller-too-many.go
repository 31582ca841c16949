//go:build ignore

// Mistake: A component is started again without waiting for the end of what was killed.
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
		ended := make(chan error, 1)
		go func() { ended <- c.run(ctx) }()
		var err error
		select {
		case err = <-ended:
		case <-life.Done():
		}
		failed := worthReporting(life, err)
		c.down()
		cancel()
		if failed {
			onError(err)
		}
		if !c.wait(ctx, pause) {
			return
		}
	}
}
