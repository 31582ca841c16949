package controlplane

import (
	"context"
	"errors"
	"sync"
	"time"
)

// component is something that is started again whenever it has ended. One goroutine,
// that of supervise, runs it: so there are never two of it.
type component struct {
	run   func(ctx context.Context) error
	kicks chan struct{} // holds one token if something below has changed

	mu      sync.Mutex         // guards the fields below
	cancel  context.CancelFunc // of the run under way; nil while it is down
	stopped bool
	earlier bool // it is wanted before its pause is over
}

func newComponent(run func(ctx context.Context) error) *component {
	return &component{run: run, kicks: make(chan struct{}, 1)}
}

// supervise runs the component until ctx is done.
func (c *component) supervise(ctx context.Context, pause time.Duration, onError func(err error)) {
	for c.wait(ctx, 0) {
		life, cancel := context.WithCancel(ctx)
		if !c.up(cancel) {
			cancel()
			continue // stopped since
		}
		err := c.run(life)
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

// worthReporting tells an error from none, and from that of a context that is done. A
// component that was killed may fail all the same, and then somebody wants to know.
func worthReporting(ctx context.Context, err error) bool {
	return err != nil && !errors.Is(err, ctx.Err())
}

// wait returns true when the component may be started: the pause is over, or cut short
// by resume, and it is not stopped. It returns false when ctx is done.
func (c *component) wait(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	over := pause == 0
	for {
		if ctx.Err() != nil {
			return false
		}
		if c.wanted(over) {
			return true
		}
		select {
		case <-ctx.Done():
		case <-timer.C:
			over = true
		case <-c.kicks:
		}
	}
}

func (c *component) wanted(over bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.stopped && (over || c.earlier)
}

func (c *component) up(cancel context.CancelFunc) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return false
	}
	c.cancel, c.earlier = cancel, false
	return true
}

func (c *component) down() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cancel = nil
}

func (c *component) kill() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cancel == nil {
		return false
	}
	c.cancel()
	return true
}

func (c *component) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	if c.cancel != nil {
		c.cancel()
	}
}

func (c *component) resume() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.stopped {
		return false
	}
	c.stopped, c.earlier = false, true
	select {
	case c.kicks <- struct{}{}:
	default:
	}
	return true
}
