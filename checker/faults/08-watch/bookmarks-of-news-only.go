//go:build ignore

// Mistake: A bookmark that would name the same version again is left out; a quiet reader waits for one in vain.
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
	said := uint64(0)
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
			if version > said && !x.send(x.bookmark(version)) {
				return
			}
			said = version
		case <-x.wake:
		case <-x.ctx.Done():
			return
		}
	}
}
