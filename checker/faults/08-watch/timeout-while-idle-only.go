//go:build ignore

// Mistake: The timer is looked at between two events only: a watcher whose reader has gone outlives it.
// Killed by: timeout-ends-cleanly
// Verdict: wrong-answer

package watch

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type watcher[T kit.Object] struct {
	source  *Watchable[T]
	options kit.ListOptions
	ctx     context.Context
	cancel  context.CancelFunc
	result  chan kit.Event[T]
	timeout <-chan time.Time
	wake    chan struct{}

	begin    uint64
	initial  []T
	position atomic.Uint64
}

func newWatcher[T kit.Object](ctx context.Context, source *Watchable[T], options kit.ListOptions) *watcher[T] {
	x := &watcher[T]{
		source:  source,
		options: options,
		result:  make(chan kit.Event[T], min(batchSize, source.options.Window)),
		wake:    make(chan struct{}, 1),
	}
	if options.TimeoutSeconds > 0 {
		seconds := min(options.TimeoutSeconds, maxTimeout)
		x.ctx, x.cancel = context.WithCancel(ctx)
		x.timeout = time.After(time.Duration(seconds) * time.Second)
	} else {
		x.ctx, x.cancel = context.WithCancel(ctx)
	}
	return x
}

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
			if !x.send(x.bookmark(version)) {
				return
			}
		case <-x.wake:
		case <-x.timeout:
			return
		case <-x.ctx.Done():
			return
		}
	}
}
