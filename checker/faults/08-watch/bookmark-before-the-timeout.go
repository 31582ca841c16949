//go:build ignore

// Mistake: A second before its timeout a watch gets one more bookmark, however short ago the last one came.
// Killed by: bookmarks-carry-progress
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
	var last <-chan time.Time // a bookmark shortly before the end is where the client goes on from
	if deadline, ok := x.ctx.Deadline(); ok && x.options.AllowWatchBookmarks {
		timer := time.NewTimer(time.Until(deadline) - time.Second)
		defer timer.Stop()
		last = timer.C
	}
	batch := make([]kit.Event[T], 0, batchSize)
	for {
		events, version, more, ok := x.source.read(batch, x.position.Load())
		if !ok || !x.deliver(events) {
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
		case <-last:
			if !x.send(x.bookmark(version)) {
				return
			}
		case <-x.wake:
		case <-x.ctx.Done():
			return
		}
	}
}
