// Package watch is lab 08 without a goroutine for a watcher: Commit sends into a channel
// with room for three windows, and cuts off a watcher whose channel is full. Bookmarks and
// timeouts come from timers.
package watch

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Options of a Watchable. The zero value is good for use.
type Options struct {
	// Window is how many of the newest changes can still be watched from. At least
	// so many are kept, and at most twice as many. 0 is 1024.
	Window int
	// BookmarkEvery is how often a watcher that asked for bookmarks gets one.
	// 0 is one minute.
	BookmarkEvery time.Duration
}

// Watchable makes a stream of changes into something to list and watch: what the watch
// cache is to the Kubernetes API server.
type Watchable[T kit.Object] struct {
	typ    kit.Type[T]
	window int
	every  time.Duration

	mu       sync.RWMutex
	version  uint64
	state    []T            // in no order
	log      []kit.Event[T] // the last window changes, a ring
	first    int            // where in log the oldest is, once it is full
	missing  uint64         // newest version that is not in log
	watchers []*watcher[T]
}

var (
	_ kit.Journal[*kit.Pod]       = (*Watchable[*kit.Pod])(nil)
	_ kit.ListerWatcher[*kit.Pod] = (*Watchable[*kit.Pod])(nil)
)

// New returns a Watchable for objects of the type typ.
func New[T kit.Object](typ kit.Type[T], options Options) *Watchable[T] {
	w := &Watchable[T]{typ: typ, window: options.Window, every: options.BookmarkEvery, version: 1, missing: 1}
	if w.window == 0 {
		w.window = 1024
	}
	if w.every == 0 {
		w.every = time.Minute
	}
	return w
}

func versionOf(obj kit.Object) uint64 {
	n, _ := strconv.ParseUint(obj.GetResourceVersion(), 10, 64)
	return n
}

// Commit takes one change: Added, Modified or Deleted, with the object as kit.Journal
// describes it.
func (w *Watchable[T]) Commit(event kit.Event[T]) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.version = versionOf(event.Object)
	at := -1
	for i, obj := range w.state {
		if obj.GetNamespace() == event.Object.GetNamespace() && obj.GetName() == event.Object.GetName() {
			at = i
		}
	}
	switch {
	case event.Type != kit.Deleted && at < 0:
		w.state = append(w.state, event.Object)
	case event.Type != kit.Deleted:
		w.state[at] = event.Object
	case at >= 0:
		last := len(w.state) - 1
		w.state[at] = w.state[last]
		clear(w.state[last:])
		w.state = w.state[:last]
	}
	if len(w.log) < w.window {
		w.log = append(w.log, event)
	} else {
		w.missing = versionOf(w.log[w.first].Object)
		w.log[w.first] = event
		w.first = (w.first + 1) % w.window
	}
	for i := len(w.watchers) - 1; i >= 0; i-- { // from behind: end takes it out
		x := w.watchers[i]
		if x.about(event.Object) && !x.push(event) {
			x.end()
		}
	}
}

func (w *Watchable[T]) check(ctx context.Context, resourceVersion string) (uint64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if resourceVersion == "" {
		resourceVersion = "0"
	}
	n, err := strconv.ParseUint(resourceVersion, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return 0, kit.NewStatusError(kit.ReasonInvalid, "%v", err)
	case n > w.version: // ParseUint gives the greatest number where one is out of range
		return 0, kit.NewTooLargeResourceVersion(resourceVersion, strconv.FormatUint(w.version, 10))
	}
	return n, nil
}

// List returns the objects of options.Namespace, or of all if that is "", and the version
// of that moment: the version of the newest change of all.
func (w *Watchable[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if _, err := w.check(ctx, options.ResourceVersion); err != nil {
		return kit.List[T]{}, err
	}
	list := kit.List[T]{ResourceVersion: strconv.FormatUint(w.version, 10)}
	for _, obj := range w.state {
		if options.Namespace == "" || options.Namespace == obj.GetNamespace() {
			list.Items = append(list.Items, w.typ.DeepCopy(obj))
		}
	}
	return list, nil
}

// Watch begins a watch of the objects of options.Namespace, or of all if that is "".
func (w *Watchable[T]) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[T], error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.check(ctx, options.ResourceVersion)
	if err != nil {
		return nil, err
	}
	x := &watcher[T]{w: w, namespace: options.Namespace}
	if n == 0 || options.SendInitialEvents {
		var initial []T
		for _, obj := range w.state {
			if x.about(obj) {
				initial = append(initial, obj)
			}
		}
		x.result = make(chan kit.Event[T], len(initial)+1+3*w.window)
		for _, obj := range initial {
			x.result <- kit.Event[T]{Type: kit.Added, Object: w.typ.DeepCopy(obj)}
		}
		if options.SendInitialEvents {
			x.bookmark(map[string]string{kit.InitialEventsEnd: "true"})
		}
	} else {
		if n < w.missing {
			return nil, kit.NewResourceExpired("%d is gone", n)
		}
		x.result = make(chan kit.Event[T], 3*w.window)
		for i := range w.log {
			event := w.log[(w.first+i)%len(w.log)]
			if versionOf(event.Object) > n && x.about(event.Object) {
				x.push(event)
			}
		}
	}
	w.watchers = append(w.watchers, x)
	stop := context.AfterFunc(ctx, x.Stop)
	x.clean = append(x.clean, func() { stop() })
	if seconds := options.TimeoutSeconds; seconds > 0 && seconds < 1<<32 {
		timeout := time.AfterFunc(time.Duration(seconds)*time.Second, x.Stop)
		x.clean = append(x.clean, func() { timeout.Stop() })
	}
	if options.AllowWatchBookmarks {
		x.timer = time.AfterFunc(w.every, x.tick)
		x.clean = append(x.clean, func() { x.timer.Stop() })
	}
	return x, nil
}
