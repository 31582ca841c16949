// Package reflector is lab 16: keep a store up to date with an API server. List
// once, watch from there, continue where a broken watch ended, and list again only
// when there is no other way.
package reflector

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Options of a Reflector. The zero value is good for use.
type Options struct {
	// ResyncPeriod is how often the store is asked to Resync. 0 is never; it is not negative.
	ResyncPeriod time.Duration
	// ShouldResync is called once each time a resync is due. The store is asked only if it
	// returns true. Nil means always.
	ShouldResync func() bool
	// Backoff says how long to wait after each failure. The zero value is
	// DefaultBackoff. A reflector never gives up: Steps only bounds how often the
	// wait grows, and with Steps 0 it never does. (What follows from a Duration of 0 beside
	// other fields is left open.)
	Backoff kit.Backoff
	// MinWatchTimeout is the shortest time after which a watch should end by itself;
	// the longest is twice that. Less than five minutes means five minutes: watches
	// that begin anew all the time are a load on the server.
	MinWatchTimeout time.Duration
	// Run calls OnError with every error that ListAndWatch returns, and with nothing
	// else, before the wait that follows. ListAndWatch itself never calls it. OnError must
	// return quickly. Nil is allowed.
	OnError func(err error)
}

// DefaultBackoff is client-go's: 0.8 s at first, then twice as long each time up
// to 30 s, and each wait stretched by a random part of up to itself, so that a
// thousand nodes that lost the server in one second do not come back in one second.
func DefaultBackoff() kit.Backoff {
	return kit.Backoff{Duration: 800 * time.Millisecond, Factor: 2, Jitter: 1, Steps: 38, Cap: 30 * time.Second}
}

// Reflector makes a store reflect what an API server has (client-go
// cache.Reflector). Make one with New. Run or ListAndWatch is called by one
// goroutine at a time; LastSyncResourceVersion by anyone. A second Run goes on with the
// version and the backoff of the first.
//
// # Backing off
//
// There is one Backoff for everything that can fail. Each wait is its next step, be it that
// of Run or one before the next watch. (A list that is asked for again with "", at once, takes
// none.) A wait that is cut short still uses its step, and counts as having ended when it was
// cut. The waits start over when the reflector has not had to back off for two minutes, be it
// within a Run or between two, and only then; a successful request is no reason.
//
// (Left open: whether exactly two minutes are enough, and whether they count from the end of
// the last wait or from its beginning. It is also allowed to start over every two minutes,
// whatever happened in them, counted from New and from when the waits last started over, as
// client-go does.)
type Reflector[T kit.Object] struct {
	// The fields are yours.
}

// New makes a reflector that keeps store up to date with lw. It sends no request and
// starts no goroutine.
func New[T kit.Object](lw kit.ListerWatcher[T], store kit.DeltaStore[T], options Options) *Reflector[T] {
	panic(kit.TODO("New"))
}

// Run calls ListAndWatch again and again until ctx is done, and waits one step of the backoff
// between the calls, whatever error they returned. It returns as soon as ctx is done, also in
// the middle of such a wait. (If ctx is done already when Run is called, or when ListAndWatch
// returns, Run may use up one more step.)
func (r *Reflector[T]) Run(ctx context.Context) {
	panic(kit.TODO("Reflector.Run"))
}

// ListAndWatch lists, puts the list into the store, and then follows the changes
// by one watch after the other until it has to list again.
//
// # The list
//
// The first list asks for resource version "0": any state will do, and the server may answer
// from its cache. A later one asks for the version that LastSyncResourceVersion returns,
// never for an earlier one: the store would go back in time. While that is "", because no
// list has been stored yet or one came without a version, it asks for "0" again. If the
// server does not have that version (kit.IsResourceExpired or kit.IsTooLargeResourceVersion),
// ListAndWatch asks for the list again with "", at once and only once: that is the newest
// state there is. From that refusal on, every list asks for "", in a second Run as well, until
// one has succeeded. (Three things are left open: whether a list has succeeded whose Replace
// has failed, whether one has that came when ctx was done and is not stored, and whether a list
// that asked for "" from the start and is refused in this way is asked for once more.)
//
// The objects go to the store's Replace, all of them, with the version of the list. After
// that, LastSyncResourceVersion returns that version, whatever it is: it may be lower than the
// one before, or "". A version is a string: the reflector hands it on as it is. If the list or
// Replace fails, ListAndWatch returns that error, wrapped or not. (If both lists fail, that is
// the error of the second, alone.) The slice that Replace is called with belongs to the store
// from then on, which may keep it: do not change it. (In the options of a list
// AllowWatchBookmarks and TimeoutSeconds mean nothing, and are left open.)
//
// # The watches
//
// Each watch begins at LastSyncResourceVersion, asks for bookmarks, but not for initial
// events (SendInitialEvents), and has a TimeoutSeconds that is drawn anew, uniformly at random
// between MinWatchTimeout and twice that. How it is rounded to whole seconds is left open, and
// so is whether the longest ever comes. What its events do, by their type alone:
//
//   - Added, Modified, Deleted: Add, Update, Delete of the store, in the order of
//     the events. If the store returns an error, the watch goes on.
//   - Bookmark: nothing to the store.
//   - Error: the watch has failed, with event.Status as a kit.StatusError. The event may
//     have no object: Object is nil then.
//   - Of a type that is none of these: nothing, and the watch goes on. Left open is whether
//     this event moves the version, and whether the Added events after it do in a watch
//     from "" or "0". Every event but an Error has an object with a version.
//
// After an Added, Modified, Deleted or Bookmark event, whatever the store has returned for it,
// LastSyncResourceVersion returns the object's version. A watch from "" or "0" is the
// exception: it begins with Added events for the objects that exist, in any order, and the
// version stays as it is until an event of another type has come. That one and those after it
// move it.
//
// What follows when a watch has ended:
//
//   - Its ResultChan was closed: the next watch, at once. But if it was closed less
//     than a second after it was asked for, and not one event had come, the watch
//     has failed. Every event counts, a Bookmark and one of an unknown type too.
//   - It failed, or was not granted, with kit.IsTooManyRequests or
//     kit.IsConnectionRefused: the next watch, after one step of the backoff. A list
//     would not help a server that has too much to do.
//   - It failed, or was not granted, in any other way: ListAndWatch returns that
//     error, wrapped or not. That the version is too old (kit.IsResourceExpired) is one of these.
//
// A watch that was granted is always stopped, however it ended, before anything
// else is asked of the server and before ListAndWatch returns. (Its ResultChan, which is
// closed soon after, may be waited for.)
//
// # Resync
//
// With a ResyncPeriod the store is asked to Resync as long as the watches go on: one period
// after the store took the list, and then each time one period after Resync has returned, or
// ShouldResync has returned false. Neither events nor the end of one watch and the beginning of
// the next delay this, however long the server takes to grant that, nor a backoff between the
// two. A slow method of the store may delay it: by the call under way and a few more, not by a
// whole queue of events. Resync and ShouldResync may be called from another goroutine than the
// store's other methods, and at the same time. (If ShouldResync is under way when the watches
// end, a Resync may still follow.) If Resync returns an error, whichever that is, ListAndWatch
// returns it, wrapped or not; if a watch has failed as well, either error will do. A Resync that
// fails while no watch is open need not interrupt a backoff or a request: ListAndWatch may
// return that error as late as when the next watch is granted, however long that takes. It may
// ask for a Resync again until then, but a success does not undo the failure.
//
// # The end
//
// When ctx is done, ListAndWatch returns nil as soon as possible: from the middle of a
// request, whose context is done then too, of a watch, and of a wait. It waits only for a
// method of the store that is under way, or a ShouldResync, and not for events that have come
// and are not stored yet. What the store has taken is published, also now. (Left open: a few
// more requests, whose context is done then; storing a list that has come, or a few of the
// events; one more Resync; and what is returned if there was an error to return before ctx was
// done.) When it returns, for whatever reason, no goroutine of its own is left.
//
// Nothing else ends a request, however long the server takes to answer: it has no time limit
// of its own. (Only a watch that is not granted yet may be given up when a Resync has failed.)
// And only ctx says whether it is done: a request, or a method of the store, that fails with
// context.Canceled while ctx is not done has failed like any other.
func (r *Reflector[T]) ListAndWatch(ctx context.Context) error {
	panic(kit.TODO("Reflector.ListAndWatch"))
}

// LastSyncResourceVersion returns the version of the last change or list that the store has, ""
// before the first list. Everything up to that version is in the store already: the version is
// published after the store's method has returned, never before; a Replace that fails does not
// change it. It may be called from any goroutine at any time, by the store's own methods too,
// and by whatever else the reflector calls.
func (r *Reflector[T]) LastSyncResourceVersion() string {
	panic(kit.TODO("Reflector.LastSyncResourceVersion"))
}
