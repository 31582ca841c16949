//go:build ignore

// Mistake: The end of the time is reported as an Error: reflectors take it for a failure and list again.
// Killed by: timeout-ends-cleanly
// Verdict: wrong-answer

package watch

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (x *watcher[T]) run() {
	defer close(x.result)
	defer x.source.forget(x)
	defer x.cancel()
	if x.sendInitial() {
		x.follow()
	}
	if x.ctx.Err() == context.DeadlineExceeded {
		x.result <- kit.Event[T]{Type: kit.Error, Status: &kit.Status{Reason: kit.ReasonTimeout}}
	}
}
