//go:build ignore

// Mistake: Stop closes a channel, and the second Stop closes it again.
// Killed by: stop-closes-the-channel
// Verdict: panic

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
	stopped chan struct{}
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
		stopped: make(chan struct{}),
	}
	if options.TimeoutSeconds > 0 {
		seconds := min(options.TimeoutSeconds, maxTimeout)
		x.ctx, x.cancel = context.WithTimeout(ctx, time.Duration(seconds)*time.Second)
	} else {
		x.ctx, x.cancel = context.WithCancel(ctx)
	}
	return x
}

func (x *watcher[T]) Stop() {
	close(x.stopped)
	x.cancel()
}
