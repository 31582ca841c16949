//go:build ignore

// Mistake: A watch remembers the key of each object that it has shown, and those of the deleted ones as well.
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
	shown    map[string]bool
}

func (x *watcher[T]) deliver(events []kit.Event[T]) bool {
	for i, event := range events {
		events[i] = kit.Event[T]{}
		if x.options.Namespace == "" || x.options.Namespace == event.Object.GetNamespace() {
			if x.shown == nil {
				x.shown = map[string]bool{}
			}
			x.shown[kit.Key(event.Object)] = true
			event.Object = x.source.typ.DeepCopy(event.Object)
			if !x.send(event) {
				return false
			}
		}
		x.position.Add(1)
	}
	return true
}
