//go:build ignore

// Mistake: The first bookmark of a watch list names the version that its caller gave, if nothing has changed since.
// Killed by: bookmarks-never-run-ahead
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
	version := x.begin
	if asked, _ := parse(x.options.ResourceVersion); asked > 0 {
		version = asked
	}
	for {
		events, upTo, more, ok := x.source.read(batch, x.position.Load())
		if len(events) > 0 {
			version = upTo
		}
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
		case <-x.wake:
		case <-x.ctx.Done():
			return
		}
	}
}
