//go:build ignore

// Mistake: The watchers are a slice, and one that has ended stays in its array, behind the slice's end.
// Killed by: ended-watches-are-forgotten
// Verdict: wrong-answer

package watch

import (
	"cmp"
	"strconv"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Watchable[T kit.Object] struct {
	typ     kit.Type[T]
	options Options

	mu       sync.RWMutex
	version  uint64
	objects  map[string]T
	window   window[T]
	watchers []*watcher[T]
}

func New[T kit.Object](typ kit.Type[T], options Options) *Watchable[T] {
	options.Window = cmp.Or(options.Window, 1024)
	options.BookmarkEvery = cmp.Or(options.BookmarkEvery, time.Minute)
	return &Watchable[T]{
		typ:     typ,
		options: options,
		version: firstVersion,
		objects: map[string]T{},
		window:  window[T]{size: uint64(options.Window), forgotten: firstVersion},
	}
}

func (w *Watchable[T]) Commit(event kit.Event[T]) {
	version, err := strconv.ParseUint(event.Object.GetResourceVersion(), 10, 64)
	if err != nil {
		panic("watch: a store committed a change without a version: " + err.Error()) // the journal's contract forbids it
	}
	key := kit.Key(event.Object)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.version = version
	if event.Type == kit.Deleted {
		delete(w.objects, key)
	} else {
		w.objects[key] = event.Object
	}
	w.window.add(change[T]{version, event})
	for _, x := range w.watchers {
		x.changed(w.window.end)
	}
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
	w.watchers = append(w.watchers, x)
	return nil
}

func (w *Watchable[T]) forget(x *watcher[T]) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, other := range w.watchers {
		if x == other {
			copy(w.watchers[i:], w.watchers[i+1:])
			w.watchers = w.watchers[:len(w.watchers)-1]
			return
		}
	}
}
