//go:build ignore

// Mistake: The clock of TimeoutSeconds starts when the initial events have been delivered: where nobody reads them, never.
// Killed by: timeout-ends-cleanly
// Verdict: wrong-answer

package watch

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (x *watcher[T]) run() {
	defer close(x.result)
	defer x.source.forget(x)
	defer x.cancel()
	if !x.sendInitial() {
		return
	}
	if seconds := min(x.options.TimeoutSeconds, maxTimeout); seconds > 0 {
		timer := time.AfterFunc(time.Duration(seconds)*time.Second, x.cancel)
		defer timer.Stop()
	}
	x.follow()
}

func newWatcher[T kit.Object](ctx context.Context, source *Watchable[T], options kit.ListOptions) *watcher[T] {
	x := &watcher[T]{
		source:  source,
		options: options,
		result:  make(chan kit.Event[T], min(batchSize, source.options.Window)),
		wake:    make(chan struct{}, 1),
	}
	x.ctx, x.cancel = context.WithCancel(ctx)
	return x
}
