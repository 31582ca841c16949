//go:build ignore

// Mistake: A watcher that finds its place overwritten says so with an Error event, if its reader is there to receive it.
// Killed by: slow-watcher-is-cut-off
// Verdict: wrong-answer

package watch

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (x *watcher[T]) follow() {
	var tick <-chan time.Time // never, unless bookmarks are wanted
	if x.options.AllowWatchBookmarks {
		ticker := time.NewTicker(x.source.options.BookmarkEvery)
		defer ticker.Stop()
		tick = ticker.C
	}
	batch := make([]kit.Event[T], 0, batchSize)
	for {
		events, version, more, ok := x.source.read(batch, x.position.Load())
		if !ok {
			select {
			case x.result <- kit.Event[T]{Type: kit.Error, Status: &kit.Status{Reason: kit.ReasonExpired, Code: 410}}:
			default:
			}
			return
		}
		if !x.deliver(events) {
			return
		}
		if more {
			x.token() // do not sleep, and do not starve bookmarks either
		}
		select {
		case <-tick:
			if !x.send(x.bookmark(version)) {
				return
			}
		case <-x.wake:
		case <-x.ctx.Done():
			return
		}
	}
}
