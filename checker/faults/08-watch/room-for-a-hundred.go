//go:build ignore

// Mistake: A channel with room for a hundred events is never too large, also where the window is a single change.
// Killed by: slow-watcher-is-cut-off
// Verdict: wrong-answer

package watch

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func newWatcher[T kit.Object](ctx context.Context, source *Watchable[T], options kit.ListOptions) *watcher[T] {
	x := &watcher[T]{
		source:  source,
		options: options,
		result:  make(chan kit.Event[T], max(100, source.options.Window)),
		wake:    make(chan struct{}, 1),
	}
	if options.TimeoutSeconds > 0 {
		seconds := min(options.TimeoutSeconds, maxTimeout)
		x.ctx, x.cancel = context.WithTimeout(ctx, time.Duration(seconds)*time.Second)
	} else {
		x.ctx, x.cancel = context.WithCancel(ctx)
	}
	return x
}
