//go:build ignore

// Mistake: A watch with a timeout ends at its timeout only: its caller's context no longer reaches it.
// Killed by: context-ends-the-watch
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
		seconds := min(options.TimeoutSeconds, maxTimeout)
		x.ctx, x.cancel = context.WithTimeout(context.Background(), time.Duration(seconds)*time.Second)
	} else {
		x.ctx, x.cancel = context.WithCancel(ctx)
	}
	return x
}
