//go:build ignore

// Mistake: A watch goes on for an hour at most, whatever TimeoutSeconds says.
// Killed by: timeout-ends-cleanly
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
		result:  make(chan kit.Event[T], min(batchSize, source.options.Window)),
		wake:    make(chan struct{}, 1),
	}
	if options.TimeoutSeconds > 0 {
		x.ctx, x.cancel = context.WithTimeout(ctx, min(time.Hour, time.Duration(min(options.TimeoutSeconds, maxTimeout))*time.Second))
	} else {
		x.ctx, x.cancel = context.WithCancel(ctx)
	}
	return x
}
