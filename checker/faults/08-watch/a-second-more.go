//go:build ignore

// Mistake: When the watch has ended, the reader gets a second more to take the event under way; a watcher that is cut off is to be
//   closed at once.
// Killed by: slow-watcher-is-cut-off
// Verdict: wrong-answer

package watch

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (x *watcher[T]) send(event kit.Event[T]) bool {
	select {
	case x.result <- event:
		return true
	case <-x.ctx.Done():
	}
	select {
	case x.result <- event:
	case <-time.After(time.Second):
	}
	return false
}
