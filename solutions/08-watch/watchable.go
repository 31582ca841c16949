// Package watch is lab 08: watch the changes of a store from any version that is
// still remembered, without a gap and without a repeat, and let no slow watcher
// delay a writer.
package watch

import (
	"cmp"
	"context"
	"slices"
	"sort"
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

// Watchable makes a stream of changes into something to list and watch. The
// stub's documentation is the contract.
//
// The changes lie in one ring that all watchers read, each at its own position.
// There is no replay that is followed by live events: to a watcher from version 5
// and to one that has just been woken, the next change is whatever lies at its
// position. So there is no seam at which a change could be lost or doubled, a
// watcher costs the memory of a position and not of a queue, and a writer has
// nothing to wait for. What is too slow to read a slot before it is written anew
// is cut off.
//
// It is tempting to give each watcher a channel instead, to fill it with what it
// missed, and to register it for what is to come: then replay and registering
// must be one step under the writer's lock, and every watcher costs a buffer.
type Watchable[T kit.Object] struct {
	typ     kit.Type[T]
	options Options

	mu       sync.RWMutex // guards the fields below
	version  uint64       // of the newest change
	objects  map[string]T // by key, as they stand; the objects are immutable
	window   window[T]
	watchers map[*watcher[T]]struct{}
}

var (
	_ kit.Journal[*kit.Pod]       = (*Watchable[*kit.Pod])(nil)
	_ kit.ListerWatcher[*kit.Pod] = (*Watchable[*kit.Pod])(nil)
)

// firstVersion is where a Watchable without changes stands: "0" is not a moment,
// it is how a caller says that any moment will do.
const firstVersion = 1

// New returns a Watchable for objects of the type typ.
func New[T kit.Object](typ kit.Type[T], options Options) *Watchable[T] {
	options.Window = cmp.Or(options.Window, 1024)
	options.BookmarkEvery = cmp.Or(options.BookmarkEvery, time.Minute)
	return &Watchable[T]{
		typ:      typ,
		options:  options,
		version:  firstVersion,
		objects:  map[string]T{},
		window:   window[T]{size: uint64(options.Window), forgotten: firstVersion},
		watchers: map[*watcher[T]]struct{}{},
	}
}

// Commit takes one change. What it does for a watcher is to look at its position
// and to leave a token in a channel that holds one: nothing in it can block.
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
	for x := range w.watchers {
		x.changed(w.window.end)
	}
}

// List returns the objects of one moment and the version of that moment. It picks the
// objects up under the lock and copies them after it: nobody writes to them again.
func (w *Watchable[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	if err := ctx.Err(); err != nil {
		return kit.List[T]{}, err
	}
	atLeast, err := parse(options.ResourceVersion)
	if err != nil {
		return kit.List[T]{}, err
	}
	w.mu.RLock()
	version, items := w.version, w.snapshot(options.Namespace)
	w.mu.RUnlock()
	if atLeast > version {
		return kit.List[T]{}, tooLarge(atLeast, version)
	}
	for i, obj := range items {
		items[i] = w.typ.DeepCopy(obj)
	}
	// The contract leaves the order open; an API server lists by namespace and name.
	slices.SortFunc(items, func(a, b T) int {
		return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
	})
	return kit.List[T]{ResourceVersion: format(version), Items: items}, nil
}

// Watch begins a watch.
func (w *Watchable[T]) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[T], error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	version, err := parse(options.ResourceVersion)
	if err != nil {
		return nil, err
	}
	x := newWatcher(ctx, w, options)
	if err := w.place(x, version); err != nil {
		x.Stop()
		return nil, err
	}
	go x.run()
	return x, nil
}

// place gives a watcher its first position and registers it. That is done here,
// by the caller's own goroutine: the watch begins at the call and not when its
// goroutine first runs.
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
	w.watchers[x] = struct{}{}
	return nil
}

// read copies into batch what there is from position on, as far as it fits. It
// returns the position after that, and the version of which a watcher that has
// read so far knows everything. ok is false if the window has left the position
// behind.
func (w *Watchable[T]) read(batch []kit.Event[T], position uint64) (events []kit.Event[T], version uint64, more, ok bool) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if position < w.window.begin() {
		return nil, 0, false, false
	}
	for ; position < w.window.end && len(batch) < cap(batch); position++ {
		c := w.window.at(position)
		batch, version = append(batch, c.event), c.version
	}
	if position == w.window.end {
		return batch, w.version, false, true
	}
	return batch, version, true, true
}

func (w *Watchable[T]) forget(x *watcher[T]) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.watchers, x)
}

// snapshot is called with the lock held.
func (w *Watchable[T]) snapshot(namespace string) []T {
	items := make([]T, 0, len(w.objects))
	for _, obj := range w.objects {
		if namespace == "" || namespace == obj.GetNamespace() {
			items = append(items, obj)
		}
	}
	return items
}

// change is one change and its version as a number.
type change[T kit.Object] struct {
	version uint64
	event   kit.Event[T]
}

// window is a ring of the newest changes. Positions count all changes there ever
// were; the change at position p lies in slot p modulo size.
type window[T kit.Object] struct {
	size      uint64
	ring      []change[T] // grows up to size; from then on each change takes the oldest one's slot
	end       uint64      // the position after the newest change
	forgotten uint64      // the version of the newest change that is no longer here
}

func (r *window[T]) begin() uint64 { return r.end - uint64(len(r.ring)) }

func (r *window[T]) at(position uint64) *change[T] { return &r.ring[position%r.size] }

func (r *window[T]) add(c change[T]) {
	if uint64(len(r.ring)) < r.size {
		r.ring = append(r.ring, c)
	} else {
		oldest := r.at(r.end)
		r.forgotten, *oldest = oldest.version, c
	}
	r.end++
}

// after is the position of the first change above version.
func (r *window[T]) after(version uint64) uint64 {
	begin := r.begin()
	return begin + uint64(sort.Search(len(r.ring), func(i int) bool {
		return r.at(begin+uint64(i)).version > version
	}))
}

// parse reads a version of a caller's options; 0 is any version.
func parse(version string) (uint64, error) {
	if version == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(version, 10, 64)
	if err != nil {
		return 0, kit.NewStatusError(kit.ReasonInvalid, "resourceVersion: Invalid value: %q", version)
	}
	return n, nil
}

func format(version uint64) string { return strconv.FormatUint(version, 10) }

func tooLarge(version, current uint64) error {
	return kit.NewTooLargeResourceVersion(format(version), format(current))
}
