//go:build ignore

// Mistake: Bookmarks have a timetable: those that a slow reader has missed come as soon as it reads, all of them at once.
// Killed by: bookmarks-carry-progress
// Verdict: wrong-answer

package watch

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (x *watcher[T]) follow() {
	var timer *time.Timer
	var due <-chan time.Time
	next := time.Now()
	if x.options.AllowWatchBookmarks {
		next = next.Add(x.source.options.BookmarkEvery)
		timer = time.NewTimer(x.source.options.BookmarkEvery)
		defer timer.Stop()
		due = timer.C
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
		case <-due:
			if !x.send(x.bookmark(version)) {
				return
			}
			next = next.Add(x.source.options.BookmarkEvery) // which may be long ago
			timer.Reset(time.Until(next))
		case <-x.wake:
		case <-x.ctx.Done():
			return
		}
	}
}
