//go:build ignore

// Mistake: A bookmark carries the version of the last change that was sent: where nothing is sent, nothing
//   moves.
// Killed by: bookmarks-carry-progress
// Verdict: wrong-answer

package watch

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (x *watcher[T]) follow() {
	var tick <-chan time.Time
	if x.options.AllowWatchBookmarks {
		ticker := time.NewTicker(x.source.options.BookmarkEvery)
		defer ticker.Stop()
		tick = ticker.C
	}
	batch := make([]kit.Event[T], 0, batchSize)
	for {
		events, version, more, ok := x.source.read(batch, x.position.Load())
		if !ok || !x.deliver(events) {
			return
		}
		if more {
			x.token()
		}
		select {
		case <-tick:
			_ = version
			if !x.send(x.bookmark(x.begin + 1)) {
				return
			}
		case <-x.wake:
		case <-x.ctx.Done():
			return
		}
	}
}
