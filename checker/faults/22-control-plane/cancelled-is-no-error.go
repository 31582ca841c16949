//go:build ignore

// Mistake: An error of a context is kept back, also that of a component that nobody has killed.
// Killed by: options-reach-the-parts
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"errors"
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
		c.down()
		cancel()
		if err != nil && !errors.Is(err, context.Canceled) {
			onError(err)
		}
		if !c.wait(ctx, pause) {
			return
		}
	}
}
