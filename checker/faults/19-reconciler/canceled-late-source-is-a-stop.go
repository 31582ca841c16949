//go:build ignore

// Mistake: A late source whose error wraps context.Canceled was stopped with the controller. The controller goes on: it was a call of its own.
// Killed by: late-watch
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"errors"
)

func (c *Controller) Watch(sources ...Source) error {
	ctx := c.keep(sources)
	if ctx == nil {
		return nil
	}
	var first error
	for _, s := range sources {
		err := s.Start(ctx, c.queue)
		if err != nil && first == nil && !errors.Is(err, context.Canceled) {
			first = err
		}
	}
	return first
}
