//go:build ignore

// Mistake: A bookmark carries the version of the store: it promises a slow reader changes that are still on
//   their way.
// Killed by: bookmarks-never-run-ahead
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
			x.source.mu.RLock()
			version = x.source.version
			x.source.mu.RUnlock()
			if !x.send(x.bookmark(version)) {
				return
			}
		case <-x.wake:
		case <-x.ctx.Done():
			return
		}
	}
}
