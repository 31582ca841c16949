//go:build ignore

// Mistake: A rate limited source is started, and whether that has failed is looked at by nobody.
// Killed by: rate-limited-source
// Verdict: wrong-answer

package reconciler

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (l limited) Start(ctx context.Context, queue kit.RateLimitingQueue[kit.Request]) error {
	_ = l.Source.Start(ctx, limit(queue))
	return nil
}
