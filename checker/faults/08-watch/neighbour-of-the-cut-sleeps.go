//go:build ignore

// Mistake: A watcher that is cut off is deleted from the slice that is being ranged over: the one behind it moves
//   into its place, is passed by, and sleeps until the next change.
// Killed by: slow-watcher-stalls-nobody
// Verdict: wrong-answer

package watch

import (
	"cmp"
	"slices"
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
	for i := 0; i < len(w.watchers); i++ {
		x := w.watchers[i]
		if w.window.end-x.position.Load() > w.window.size+1 {
			x.cancel()
			w.watchers = slices.Delete(w.watchers, i, i+1)
			continue // the next one has this place now, and i goes on
		}
		x.token()
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
	w.watchers = slices.DeleteFunc(w.watchers, func(other *watcher[T]) bool { return other == x })
}
