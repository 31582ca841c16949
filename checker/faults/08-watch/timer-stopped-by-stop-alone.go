//go:build ignore

// Mistake: The timer of TimeoutSeconds is stopped in Stop; whatever else ends the watch leaves it.
// Killed by: ended-watches-are-forgotten
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
	wake    chan struct{}
	timeout *time.Timer

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
	x.ctx, x.cancel = context.WithCancel(ctx)
	if options.TimeoutSeconds > 0 {
		seconds := min(options.TimeoutSeconds, maxTimeout)
		x.timeout = time.AfterFunc(time.Duration(seconds)*time.Second, x.cancel)
	}
	return x
}

func (x *watcher[T]) Stop() {
	x.cancel()
	if x.timeout != nil {
		x.timeout.Stop()
	}
}
