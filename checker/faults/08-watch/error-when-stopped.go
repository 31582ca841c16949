//go:build ignore

// Mistake: A watch that is stopped says so with an Error event, if its reader is there to receive it.
// Killed by: stop-closes-the-channel
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
	if x.ctx.Err() != context.Canceled {
		return
	}
	select {
	case x.result <- kit.Event[T]{Type: kit.Error, Status: &kit.Status{Reason: kit.ReasonExpired, Code: 410}}:
	default:
	}
}
