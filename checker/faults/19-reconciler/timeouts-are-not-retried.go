//go:build ignore

// Mistake: A reconcile that ran into its timeout was stopped, and did not fail.
// Killed by: errors-are-rate-limited
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"errors"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Controller) failed(request kit.Request, priority int, err error) {
	if !kit.IsTerminal(err) && !errors.Is(err, context.DeadlineExceeded) {
		c.queue.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: &priority}, request)
	}
	if c.options.OnError != nil {
		c.options.OnError(request, err)
	}
}
