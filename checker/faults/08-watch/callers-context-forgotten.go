//go:build ignore

// Mistake: The watch has a context of its own, which the caller's does not end: only Stop does, and a client
//   that is gone calls nothing.
// Killed by: context-ends-the-watch
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
	if options.TimeoutSeconds > 0 {
		seconds := min(options.TimeoutSeconds, maxTimeout)
		x.ctx, x.cancel = context.WithTimeout(ctx, time.Duration(seconds)*time.Second)
	} else {
		x.ctx, x.cancel = context.WithCancel(context.WithoutCancel(ctx))
	}
	return x
}
