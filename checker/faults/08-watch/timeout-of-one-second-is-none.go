//go:build ignore

// Mistake: The check that a watch has a timeout is off by one: a watch of one second goes on for ever.
// Killed by: timeout-ends-cleanly
// Verdict: deadlock

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
		result:  make(chan kit.Event[T], min(batchSize, source.options.Window)),
		wake:    make(chan struct{}, 1),
	}
	if options.TimeoutSeconds > 1 {
		seconds := min(options.TimeoutSeconds, maxTimeout)
		x.ctx, x.cancel = context.WithTimeout(ctx, time.Duration(seconds)*time.Second)
	} else {
		x.ctx, x.cancel = context.WithCancel(ctx)
	}
	return x
}
