//go:build ignore

// Mistake: A watch keeps the change at which it has arrived, and each change names the next one: after the end of the
//   watch that keeps all that follow, for as long as the caller keeps the watch.
// Killed by: history-is-bounded
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
	at       *link[T]
}

type link[T kit.Object] struct {
	change[T]
	next *link[T]
}

type window[T kit.Object] struct {
	size      uint64
	ring      []change[T]
	end       uint64
	forgotten uint64
	newest    *link[T]
}

func (r *window[T]) add(c change[T]) {
	if uint64(len(r.ring)) < r.size {
		r.ring = append(r.ring, c)
	} else {
		oldest := r.at(r.end)
		r.forgotten, *oldest = oldest.version, c
	}
	r.end++
	l := &link[T]{change: c}
	if r.newest != nil {
		r.newest.next = l
	}
	r.newest = l
}

func (x *watcher[T]) deliver(events []kit.Event[T]) bool {
	for i, event := range events {
		events[i] = kit.Event[T]{}
		if x.options.Namespace == "" || x.options.Namespace == event.Object.GetNamespace() {
			event.Object = x.source.typ.DeepCopy(event.Object)
			if !x.send(event) {
				return false
			}
		}
		x.position.Add(1)
	}
	if len(events) > 0 {
		x.at = x.source.newest()
	}
	return true
}

func (w *Watchable[T]) newest() *link[T] {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.window.newest
}
