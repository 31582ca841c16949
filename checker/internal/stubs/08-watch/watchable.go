// Package watch is lab 08: watch the changes of a store from any version that is
// still remembered, without a gap and without a repeat, and let no slow watcher
// delay a writer.
package watch

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Options of a Watchable. The zero value is good for use. Neither option is ever negative,
// and Window is never above 100,000.
type Options struct {
	// Window is how many of the newest changes can still be watched from. At least
	// that many are kept, and at most twice as many. 0 is 1024. What is held for a slow
	// watcher does not count here.
	Window int
	// BookmarkEvery is how often a watcher that asked for bookmarks gets one.
	// 0 is one minute.
	BookmarkEvery time.Duration
}

// Watchable makes a stream of changes into something to list and watch: what the
// watch cache is to the Kubernetes API server. It takes the changes of a store as
// its Journal, keeps the newest state of every object and the last few changes,
// and serves any number of watchers from them. Of an object that was deleted, and of its
// namespace, it keeps nothing but what is in those changes. Make one with New. All methods
// but Commit may be called from any goroutine.
//
// Versions are decimal numbers above zero and below 2^63. They rise from change to change
// but need not be consecutive. A new Watchable has no objects and stands at version 1,
// so that the first change has a version above it.
//
// Objects that List and watches deliver are copies: no two callers ever get the
// same memory, and no caller gets the object that Commit got.
//
// # Slow watchers
//
// Commit never waits for a watcher and no watcher for another. A watcher is
// behind by the number of changes committed and not yet received from its
// ResultChan, including past changes that a watch from a version replays. Initial events
// and bookmarks do not count. While an event waits for its reader, an initial event or a
// bookmark included, changes of other namespaces after it may count. When none waits they
// do not: the watcher passes over them at once, without a timer. (A burst of them that leaves
// the watcher's goroutine no time to run may cut it off.)
// While it is behind by no more than Window it is never cut off. A watcher that
// falls further behind may be cut off, and certainly is when it is four times Window
// behind, changes of other namespaces aside. Its ResultChan is then closed at once, whether
// anybody reads from it or not, without an Error event and without a gap: what its reader gets
// before it sees the end are the changes in order from the first. It may list and watch again.
// The Watchable never holds more than four times Window changes for one watcher, of
// whatever namespaces. No ResultChan has room for more than that and eight bookmarks, however
// small Window is. Its initial events and the Bookmark that ends them, and room for these,
// do not count here. When all initial events have been received, the Watchable holds none of
// them for the watcher, even if the Bookmark after them still waits.
type Watchable[T kit.Object] struct {
	// yours
}

var (
	_ kit.Journal[*kit.Pod]       = (*Watchable[*kit.Pod])(nil)
	_ kit.ListerWatcher[*kit.Pod] = (*Watchable[*kit.Pod])(nil)
)

// New returns a Watchable for objects of the type typ.
func New[T kit.Object](typ kit.Type[T], options Options) *Watchable[T] {
	panic(kit.TODO("New"))
}

// Commit takes one change: Added, Modified or Deleted, with the object as
// kit.Journal describes it; that of a deletion has the deletion's version. What is
// modified or deleted was added before. The store calls Commit under its own lock, one
// call at a time and with rising versions; so it must be quick and must wait for no reader.
// (To copy an object is quick, and so is to wait for a lock under which others copy.)
// When it returns, every List and Watch that begins later knows of the change.
// The object is read-only from the call on, to both sides.
func (w *Watchable[T]) Commit(event kit.Event[T]) {
	panic(kit.TODO("Watchable.Commit"))
}

// List returns the objects of options.Namespace, or of all if that is "", in any
// order, and the version of that moment: the version of the newest change of all.
// It returns without waiting for anything.
//
// A resource version in options says that the list must not be older than that.
// "" and "0" ask for nothing. A version that lies ahead of the newest change is an
// error for which kit.IsTooLargeResourceVersion is true, and one that is not a
// decimal number, digits 0 to 9 and nothing else, is Invalid; a number of 2^63 or more
// may be either. One with needless zeros in front may be read or be Invalid.
// If ctx is done, List returns ctx.Err(), whatever the version.
func (w *Watchable[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	panic(kit.TODO("Watchable.List"))
}

// Watch begins a watch of the objects of options.Namespace, or of all if that is
// "". It returns without waiting for anything. What options.ResourceVersion says
// decides where the watch begins, at the moment of the call:
//
//   - A version n: every change with a version above n, and none up to n, in order:
//     first those that are remembered and then, on the same stream, those that are
//     still to come. If a change above n, of whatever namespace, is no longer
//     remembered, Watch returns an error for which kit.IsResourceExpired is true: the
//     caller must list again.
//   - "" or "0": first an Added event for each object that there is, in any order,
//     each with the object's own version, and then every later change in order.
//
// A version that lies ahead, or is no number, is an error as it is for List.
//
// A change is sent as soon as it has been committed and the reader has room for it: a
// watch with nothing to send sleeps until Commit wakes it, and does not poll. However often
// bookmarks are due, they do not crowd changes out. Nor does a goroutine poll for a lock: it
// waits in Lock, and not in a loop that sleeps.
//
// With SendInitialEvents (a watch list) the watch begins with the objects as they
// are, like one from "", whatever version is given, as long as List would accept it.
// After the last of those Added events, even if there is none, comes a Bookmark
// that has the annotation kit.InitialEventsEnd: "true" and the version that a List at the
// moment of the call would have; then every change above that version in order. The
// caller sets AllowWatchBookmarks as well; without it that Bookmark may come or be left
// out.
//
// A reader keeps up if no event, a bookmark included, waits for it as long as half of
// BookmarkEvery.
// With AllowWatchBookmarks a reader that keeps up gets a Bookmark about every
// BookmarkEvery, whether anything changes or not: one at least in any two such periods,
// and no two within half a period; after one that waited for its reader the next may come
// sooner. Of those that could not be sent when they were due one or two may come late; the
// others are not made up for. The first may come at any time after the watch has begun, but
// not at once. Its object is one from typ.New with nothing added but a resource version, and
// says: every change up to this version that this watch is about has been delivered before it.
// That version moves on with changes in other namespaces, too. It never falls, nor below that
// of the Bookmark that ended the initial events. Without AllowWatchBookmarks there are no
// such bookmarks.
// The Bookmark that ends the initial events is not counted as one of them. The others come
// after it, or after the last Added, and the first period may begin there.
//
// The watch ends, and its ResultChan is closed, soon after Stop, soon after ctx is done,
// at once when it is cut off as a slow watcher, and soon after TimeoutSeconds have passed
// since the call, unless that is 0. No Error event says so, and it makes no difference
// whether anybody reads from the ResultChan. Soon is within a second, and TimeoutSeconds is
// never negative. Events that by then were neither received nor put into the channel's
// buffer are dropped. After that the Watchable remembers nothing of the watch, and no
// goroutine of it is left, no timer, and nothing registered with its ctx (a derived
// context, an AfterFunc); nor does the Watchable still refer to ctx or to a value of it.
// The caller may still have the watch. In a Watchable that is in use, a caller that keeps an
// ended watch keeps no change alive that was committed after its end.
// If ctx is done when Watch is called, it returns ctx.Err(), whatever the options.
// A watch that was refused leaves nothing behind, however long its ctx goes on.
//
// Stop never blocks and may be called any number of times, from any goroutine. (A moment
// in which it waits for a lock, or for the watch's own goroutine to end, is not to block.)
func (w *Watchable[T]) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[T], error) {
	panic(kit.TODO("Watchable.Watch"))
}
