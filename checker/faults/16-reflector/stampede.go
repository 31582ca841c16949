//go:build ignore

// Mistake: After a 410 there is no wait, since a list is sure to help: all clients whose watch expired
//   together list together (kubernetes#86430).
// Killed by: lists-again-when-expired
// Verdict: wrong-answer

package reflector

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *Reflector[T]) Run(ctx context.Context) {
	for ctx.Err() == nil {
		err := r.ListAndWatch(ctx)
		if err != nil && r.options.OnError != nil {
			r.options.OnError(err)
		}
		if !kit.IsResourceExpired(err) {
			r.backoff.wait(ctx)
		}
	}
}
