// Package watch is lab 08 with a log of up to twice the window, of which the older half
// is forgotten at a time, and watchers that look into it at their own pace.
package watch

import (
	"cmp"
	"context"
	"errors"
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

// Watchable makes a stream of changes into something to list and watch: what the watch
// cache is to the Kubernetes API server.
type Watchable[T kit.Object] struct {
	typ     kit.Type[T]
	options Options

	mu        sync.Mutex
	version   uint64      // of the newest change
	state     map[key]T   // the newest objects
	forgotten uint64      // the version of the newest change that is no longer in log
	log       []change[T] // between Window and twice Window of the newest changes
	base      int         // the number of the change at log[0]
	watchers  map[*watcher[T]]struct{}
}

type key struct{ namespace, name string }

type change[T kit.Object] struct {
	version uint64
	event   kit.Event[T]
}

func (c *change[T]) isIn(namespace string) bool {
	return namespace == "" || c.event.Object.GetNamespace() == namespace
}

var (
	_ kit.Journal[*kit.Pod]       = (*Watchable[*kit.Pod])(nil)
	_ kit.ListerWatcher[*kit.Pod] = (*Watchable[*kit.Pod])(nil)
)

// New returns a Watchable for objects of the type typ.
func New[T kit.Object](typ kit.Type[T], options Options) *Watchable[T] {
	options.Window = cmp.Or(options.Window, 1024)
	options.BookmarkEvery = cmp.Or(options.BookmarkEvery, time.Minute)
	return &Watchable[T]{
		typ: typ, options: options,
		version: 1, forgotten: 1,
		state:    make(map[key]T),
		watchers: make(map[*watcher[T]]struct{}),
	}
}

// Commit takes one change: Added, Modified or Deleted, with the object as kit.Journal
// describes it.
func (w *Watchable[T]) Commit(event kit.Event[T]) {
	obj := event.Object
	version, err := strconv.ParseUint(obj.GetResourceVersion(), 10, 64)
	if err != nil {
		panic("watch: committed object has no version: " + err.Error())
	}
	k := key{obj.GetNamespace(), obj.GetName()}

	w.mu.Lock()
	defer w.mu.Unlock()
	if event.Type == kit.Deleted {
		delete(w.state, k)
	} else {
		w.state[k] = obj
	}
	w.version = version
	if len(w.log) == 2*w.options.Window {
		w.trim()
	}
	c := change[T]{version, event}
	w.log = append(w.log, c)
	for x := range w.watchers {
		if c.isIn(x.namespace) {
			x.wakeUp()
		}
	}
}

// trim forgets the older half of the log, and with it the watchers that have not got
// what they want of it. The caller holds the lock.
func (w *Watchable[T]) trim() {
	half := w.options.Window
	for x := range w.watchers {
		for x.next < w.base+half {
			c := &w.log[x.next-w.base]
			if c.isIn(x.namespace) {
				x.cut = true
				x.cancel()
				delete(w.watchers, x)
				break
			}
			x.pass(c)
		}
	}
	w.forgotten = w.log[half-1].version
	w.base += half
	kept := copy(w.log, w.log[half:])
	clear(w.log[kept:])
	w.log = w.log[:kept]
}

// begin says where a list or a watch with that resource version begins: 0 for the
// state. The caller holds the lock.
func (w *Watchable[T]) begin(resourceVersion string) (uint64, error) {
	if resourceVersion == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(resourceVersion, 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, kit.NewStatusError(kit.ReasonInvalid, "resource version %q is not a decimal number", resourceVersion)
	}
	if err != nil || n > w.version {
		return 0, kit.NewTooLargeResourceVersion(resourceVersion, format(w.version))
	}
	return n, nil
}

// objects are the stored objects of a namespace, not copies. The caller holds the lock.
func (w *Watchable[T]) objects(namespace string) []T {
	var out []T
	for k, obj := range w.state {
		if namespace == "" || k.namespace == namespace {
			out = append(out, obj)
		}
	}
	return out
}

func format(version uint64) string { return strconv.FormatUint(version, 10) }

// List returns the objects of options.Namespace, or of all if that is "", and the version
// of that moment: the version of the newest change of all.
func (w *Watchable[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	if err := ctx.Err(); err != nil {
		return kit.List[T]{}, err
	}
	w.mu.Lock()
	_, err := w.begin(options.ResourceVersion)
	version, items := w.version, w.objects(options.Namespace)
	w.mu.Unlock()
	if err != nil {
		return kit.List[T]{}, err
	}
	slices.SortFunc(items, func(a, b T) int {
		return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
	})
	for i, obj := range items {
		items[i] = w.typ.DeepCopy(obj)
	}
	return kit.List[T]{ResourceVersion: format(version), Items: items}, nil
}

// Watch begins a watch of the objects of options.Namespace, or of all if that is "".
func (w *Watchable[T]) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[T], error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	x := &watcher[T]{
		w:         w,
		namespace: options.Namespace,
		result:    make(chan kit.Event[T]),
		wake:      make(chan struct{}, 1),
		watchList: options.SendInitialEvents,
		bookmarks: options.AllowWatchBookmarks,
	}

	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.begin(options.ResourceVersion)
	if err != nil {
		return nil, err
	}
	if n == 0 || options.SendInitialEvents {
		x.initial = w.objects(options.Namespace)
		x.next, x.seen = w.base+len(w.log), w.version
	} else {
		if n < w.forgotten {
			return nil, kit.NewResourceExpired("too old resource version: %d (%d)", n, w.forgotten)
		}
		x.next = w.base + sort.Search(len(w.log), func(i int) bool { return w.log[i].version > n })
		x.seen = n
	}
	if options.TimeoutSeconds > 0 {
		const most = int64(1<<63-1) / int64(time.Second)
		ctx, x.cancel = context.WithTimeout(ctx, time.Duration(min(options.TimeoutSeconds, most))*time.Second)
	} else {
		ctx, x.cancel = context.WithCancel(ctx)
	}
	w.watchers[x] = struct{}{}
	go x.run(ctx)
	return x, nil
}
