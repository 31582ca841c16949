//go:build ignore

// Mistake: The queue has a rate limiter, so what is added to it is limited. Add does not ask it: that is what
//   the text is about.
// Killed by: rate-limited-source
// Verdict: wrong-answer

package reconciler

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (l limited) Start(ctx context.Context, queue kit.RateLimitingQueue[kit.Request]) error {
	return l.Source.Start(ctx, queue)
}
