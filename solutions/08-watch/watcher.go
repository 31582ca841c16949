package watch

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// watcher is one running watch. Its goroutine alone sends to result and closes it,
// so nothing can ever be sent to a closed channel; and it waits for nothing
// without waiting for ctx too. Whatever ends a watch ends ctx: Stop, the caller's
// context, the timeout, and Commit when the watcher has fallen too far behind.
type watcher[T kit.Object] struct {
	source  *Watchable[T]
	options kit.ListOptions
	ctx     context.Context
	cancel  context.CancelFunc
	result  chan kit.Event[T]
	wake    chan struct{} // holds a token if there may be something to read

	begin    uint64        // the version that initial shows
	initial  []T           // what there was at the call, if that is asked for
	position atomic.Uint64 // of the first change not delivered yet; the goroutine's to move
}

// batchSize is how many changes are picked up under one lock, and how many may
// lie in the result channel.
const batchSize = 64

// maxTimeout is how many seconds a time.Duration holds, some 292 years. More of them
// overflow, and the watch would end as it begins.
const maxTimeout = int64(math.MaxInt64 / time.Second)

func newWatcher[T kit.Object](ctx context.Context, source *Watchable[T], options kit.ListOptions) *watcher[T] {
	x := &watcher[T]{
		source:  source,
		options: options,
		result:  make(chan kit.Event[T], min(batchSize, source.options.Window)),
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

// Stop ends the watch. To cancel a context twice is harmless, and to cancel one
// never blocks: it is tempting to close a channel of one's own, and that is neither.
func (x *watcher[T]) Stop() { x.cancel() }

// ResultChan delivers the events; it is the same channel at every call.
func (x *watcher[T]) ResultChan() <-chan kit.Event[T] { return x.result }

// changed tells the watcher that there are changes up to end. Commit calls it, so
// it must not block: if there is a token in wake already, the goroutine has yet to
// take it, and will then see this change too.
//
// A watcher that is further behind than the window is long has lost a change. It
// is ended here and not when it finds out itself, because it may be waiting for a
// reader that never comes. The reader may have one change more than position says: a
// send comes before the count of it. So one behind the window is not yet too many here.
func (x *watcher[T]) changed(end uint64) {
	if end-x.position.Load() > x.source.window.size+1 {
		x.cancel()
		return
	}
	x.token()
}

func (x *watcher[T]) run() {
	defer close(x.result)
	defer x.source.forget(x)
	defer x.cancel()
	if x.sendInitial() {
		x.follow()
	}
}

// sendInitial sends the objects there were, and says that they are all.
func (x *watcher[T]) sendInitial() bool {
	for i, obj := range x.initial {
		if !x.send(kit.Event[T]{Type: kit.Added, Object: x.source.typ.DeepCopy(obj)}) {
			return false
		}
		var none T
		x.initial[i] = none // a slow reader must not keep alive what it has got
	}
	x.initial = nil
	if !x.options.SendInitialEvents {
		return true
	}
	end := x.bookmark(x.begin)
	end.Object.SetAnnotations(map[string]string{kit.InitialEventsEnd: "true"})
	return x.send(end)
}

// follow delivers changes until ctx is done. No change is slept through: Commit
// adds it before it leaves the token, so either read sees it or the token is still
// to come, and the select takes it.
func (x *watcher[T]) follow() {
	var tick <-chan time.Time // never, unless bookmarks are wanted
	if x.options.AllowWatchBookmarks {
		ticker := time.NewTicker(x.source.options.BookmarkEvery)
		defer ticker.Stop()
		tick = ticker.C
	}
	batch := make([]kit.Event[T], 0, batchSize)
	for {
		events, version, more, ok := x.source.read(batch, x.position.Load())
		if !ok || !x.deliver(events) {
			return
		}
		if more {
			x.token() // do not sleep, and do not starve bookmarks either
		}
		select {
		case <-tick:
			if !x.send(x.bookmark(version)) {
				return
			}
		case <-x.wake:
		case <-x.ctx.Done():
			return
		}
	}
}

// token leaves a token in wake if there is none.
func (x *watcher[T]) token() {
	select {
	case x.wake <- struct{}{}:
	default:
	}
}

// deliver sends the events the watch is about and passes over the others. The
// events are cleared as it goes, or the batch would keep old objects alive.
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
	return true
}

// send waits until the reader has room for event, or reports false when the watch
// has ended.
func (x *watcher[T]) send(event kit.Event[T]) bool {
	select {
	case x.result <- event:
		return true
	case <-x.ctx.Done():
		return false
	}
}

func (x *watcher[T]) bookmark(version uint64) kit.Event[T] {
	obj := x.source.typ.New()
	obj.SetResourceVersion(format(version))
	return kit.Event[T]{Type: kit.Bookmark, Object: obj}
}
