//go:build ignore

// Mistake: Whether an error is terminal is also seen by what it says. Some errors cannot say anything.
// Killed by: errors-are-rate-limited
// Verdict: panic

package reconciler

import (
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Controller) failed(request kit.Request, priority int, err error) {
	if !kit.IsTerminal(err) && !strings.Contains(err.Error(), "terminal error") {
		c.queue.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: &priority}, request)
	}
	if c.options.OnError != nil {
		c.options.OnError(request, err)
	}
}
