//go:build ignore

// Mistake: context.Canceled means that the controller ends. Or that something inside the reconcile was
//   canceled.
// Killed by: errors-are-rate-limited
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"errors"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Controller) failed(request kit.Request, priority int, err error) {
	if !kit.IsTerminal(err) && !errors.Is(err, context.Canceled) {
		c.queue.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: &priority}, request)
	}
	if c.options.OnError != nil {
		c.options.OnError(request, err)
	}
}
