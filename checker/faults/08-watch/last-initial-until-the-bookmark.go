//go:build ignore

// Mistake: Each initial event is let go of before the next one is sent: the last one stays until the bookmark has gone.
// Killed by: history-is-bounded
// Verdict: wrong-answer

package watch

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (x *watcher[T]) sendInitial() bool {
	defer func() { x.initial = nil }()
	for i, obj := range x.initial {
		if i > 0 {
			var none T
			x.initial[i-1] = none // it has been received
		}
		if !x.send(kit.Event[T]{Type: kit.Added, Object: x.source.typ.DeepCopy(obj)}) {
			return false
		}
	}
	if !x.options.SendInitialEvents {
		return true
	}
	end := x.bookmark(x.begin)
	end.Object.SetAnnotations(map[string]string{kit.InitialEventsEnd: "true"})
	return x.send(end)
}

// newWatcher makes a channel without room: a reader that is not there keeps the goroutine waiting.
func newWatcher[T kit.Object](ctx context.Context, source *Watchable[T], options kit.ListOptions) *watcher[T] {
	x := &watcher[T]{
		source:  source,
		options: options,
		result:  make(chan kit.Event[T]),
		wake:    make(chan struct{}, 1),
	}
	if options.TimeoutSeconds > 0 {
		seconds := min(options.TimeoutSeconds, maxTimeout)
		x.ctx, x.cancel = context.WithTimeout(ctx, time.Duration(seconds)*time.Second)
	} else {
		x.ctx, x.cancel = context.WithCancel(ctx)
	}
	return x
}
