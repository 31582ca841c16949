//go:build ignore

// Mistake: Stop closes the ResultChan itself, while the watcher's goroutine is sending to it
//   (kubernetes#108080).
// Killed by: stop-closes-the-channel
// Verdict: panic

package watch

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type watcher[T kit.Object] struct {
	source  *Watchable[T]
	options kit.ListOptions
	ctx     context.Context
	cancel  context.CancelFunc
	result  chan kit.Event[T]
	once    sync.Once
	wake    chan struct{}

	begin    uint64
	initial  []T
	position atomic.Uint64
}

func (x *watcher[T]) Stop() {
	x.once.Do(func() { close(x.result) })
	x.cancel()
}

func (x *watcher[T]) run() {
	defer x.once.Do(func() { close(x.result) })
	defer x.source.forget(x)
	defer x.cancel()
	if x.sendInitial() {
		x.follow()
	}
}
