//go:build ignore

// Mistake: Only what is committed after the call of Watch counts as what a watcher is behind by.
// Killed by: slow-watcher-is-cut-off
// Verdict: wrong-answer

package watch

import (
	"context"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type watcher[T kit.Object] struct {
	source  *Watchable[T]
	options kit.ListOptions
	ctx     context.Context
	cancel  context.CancelFunc
	result  chan kit.Event[T]
	wake    chan struct{}

	begin    uint64
	initial  []T
	position atomic.Uint64
	live     uint64 // the position of the first change after the call
}

func (w *Watchable[T]) place(x *watcher[T], version uint64) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case version > w.version:
		return tooLarge(version, w.version)
	case version == 0 || x.options.SendInitialEvents:
		x.begin, x.initial = w.version, w.snapshot(x.options.Namespace)
		x.position.Store(w.window.end)
	case version < w.window.forgotten:
		return kit.NewResourceExpired("too old resource version: %d (%d)", version, w.window.forgotten)
	default:
		x.position.Store(w.window.after(version))
	}
	x.live = w.window.end
	w.watchers[x] = struct{}{}
	return nil
}

func (x *watcher[T]) changed(end uint64) {
	if end-max(x.live, x.position.Load()) >= 4*x.source.window.size {
		x.cancel()
		return
	}
	x.token()
}
