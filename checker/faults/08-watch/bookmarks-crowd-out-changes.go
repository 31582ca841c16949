//go:build ignore

// Mistake: After each bookmark the goroutine looks whether another is due before it sends a change. To a
//   reader who takes longer for an event than BookmarkEvery, one always is.
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
	batch := make([]kit.Event[T], 0, 1)
	version := x.begin
	for {
		select {
		case <-tick:
			if !x.send(x.bookmark(version)) {
				return
			}
			continue
		default:
		}
		events, seen, more, ok := x.source.read(batch, x.position.Load())
		if !ok || !x.deliver(events) {
			return
		}
		version = seen
		if more {
			continue
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
