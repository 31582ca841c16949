package watch

import (
	"strconv"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// watcher is one running watch: a channel with room for what is waiting. It has no
// goroutine: Watch, Commit and the timers put events into it under the Watchable's lock,
// and Stop and the other ends close it under the same lock.
type watcher[T kit.Object] struct {
	w         *Watchable[T]
	namespace string
	result    chan kit.Event[T]
	timer     *time.Timer
	clean     []func()

	// Under w.mu.
	ended   bool
	changes int // how many changes were put in
	since   int // how many events were put in since the last bookmark
}

func (x *watcher[T]) about(obj T) bool {
	return x.namespace == "" || x.namespace == obj.GetNamespace()
}

// push reports whether there was room.
func (x *watcher[T]) push(event kit.Event[T]) bool {
	if waiting := min(len(x.result), x.changes); waiting >= 3*x.w.window {
		return false
	}
	event.Object = x.w.typ.DeepCopy(event.Object)
	select {
	case x.result <- event:
		x.changes++
		x.since++
		return true
	default:
		return false
	}
}

func (x *watcher[T]) bookmark(annotations map[string]string) {
	obj := x.w.typ.New()
	obj.SetResourceVersion(strconv.FormatUint(x.w.version, 10))
	obj.SetAnnotations(annotations)
	select {
	case x.result <- kit.Event[T]{Type: kit.Bookmark, Object: obj}:
		x.since = 0
	default:
	}
}

func (x *watcher[T]) tick() {
	x.w.mu.Lock()
	defer x.w.mu.Unlock()
	if x.ended {
		return
	}
	// Not while the last one has not been read.
	if n := len(x.result); n <= x.since && n < x.w.window {
		x.bookmark(nil)
	}
	x.timer.Reset(x.w.every)
}

// end is called with the lock held.
func (x *watcher[T]) end() {
	if x.ended {
		return
	}
	x.ended = true
	close(x.result)
	for _, f := range x.clean {
		f()
	}
	all := x.w.watchers
	for i := range all {
		if all[i] == x {
			all[i] = all[len(all)-1]
			clear(all[len(all)-1:])
			x.w.watchers = all[:len(all)-1]
			return
		}
	}
}

// Stop ends the watch.
func (x *watcher[T]) Stop() {
	x.w.mu.Lock()
	defer x.w.mu.Unlock()
	x.end()
}

// ResultChan delivers the events; it is the same channel at every call.
func (x *watcher[T]) ResultChan() <-chan kit.Event[T] { return x.result }
