//go:build ignore

// Mistake: Each event sets the bookmark's time back, as it says how far the watch is; the reader of a busy stream gets
//   no bookmark.
// Killed by: bookmarks-carry-progress
// Verdict: wrong-answer

package watch

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (x *watcher[T]) follow() {
	var tick <-chan time.Time
	every := x.source.options.BookmarkEvery
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	if x.options.AllowWatchBookmarks {
		tick = ticker.C
	}
	batch := make([]kit.Event[T], 0, batchSize)
	for {
		events, version, more, ok := x.source.read(batch, x.position.Load())
		if !ok || !x.deliver(events) {
			return
		}
		if len(events) > 0 {
			ticker.Reset(every)
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
