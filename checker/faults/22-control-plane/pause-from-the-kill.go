//go:build ignore

// Mistake: RestartAfter begins when the component is killed, and not when it has ended.
// Killed by: components-come-back
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"sync"
	"time"
)

type component struct {
	run   func(ctx context.Context) error
	kicks chan struct{}

	mu      sync.Mutex
	cancel  context.CancelFunc
	stopped bool
	killed  time.Time
	earlier bool
}

func (c *component) kill() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cancel == nil {
		return false
	}
	c.cancel()
	c.killed = time.Now()
	return true
}

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
		c.mu.Lock()
		left := pause
		if !c.killed.IsZero() {
			left = max(pause-time.Since(c.killed), 1)
		}
		c.killed = time.Time{}
		c.mu.Unlock()
		if !c.wait(ctx, left) {
			return
		}
	}
}
