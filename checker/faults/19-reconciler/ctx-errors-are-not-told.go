//go:build ignore

// Mistake: An error that wraps context.Canceled counts as the controller's own end and is told to nobody: it may be that of a call which the Reconciler made.
// Killed by: errors-are-told
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"errors"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Controller) failed(request kit.Request, priority int, err error) {
	if !kit.IsTerminal(err) {
		c.queue.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: &priority}, request)
	}
	if c.options.OnError != nil && !errors.Is(err, context.Canceled) {
		c.options.OnError(request, err)
	}
}
