// Package informer is lab 17: one cache that follows the API server, shared by many
// handlers that each hear of every change.
package informer

import (
	"context"
	"errors"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// ErrStopped is returned when a handler is added to an informer that has stopped.
var ErrStopped = errors.New("informer: the informer has stopped")

// Options are the parts of a SharedInformer. Indexer, Queue and Reflect are needed and
// belong to this one informer; the caller of New has connected them to each other.
type Options[T kit.Object] struct {
	// Indexer is the cache. It is empty before Run. Only the informer writes to it, and only
	// during Run. It stores the objects that it is given, themselves and no copies. The caller
	// may keep and change the slices that it returns. None of its errors is kit.ErrFIFOClosed.
	Indexer kit.Indexer[T]

	// Queue holds the deltas that are not in the Indexer yet. Its known objects are
	// those of Indexer. It may hold a lock of its own while it calls the function given
	// to Pop, and every other method of it may wait for that lock. Its HasSynced is not
	// true before the function given to Pop has returned for all of the first list.
	Queue kit.DeltaQueue[T]

	// Reflect is the reflector: it reports all changes to store until ctx is done, and
	// returns then, never before. The informer calls it once, with Queue as the store. If
	// ctx is done before Run, the informer need not call it; Run closes the Queue all the
	// same, and this was its one Run.
	//
	// Every resyncPeriod (0 for never) Reflect calls shouldResync, and if that returns
	// true, the Resync of store. Between the two it calls no other method of store.
	Reflect func(ctx context.Context, store kit.DeltaStore[T], resyncPeriod time.Duration, shouldResync func() bool)

	// ResyncPeriod is the resync period of handlers that ask for none of their own.
	// If it is 0, this informer never resyncs, whatever its handlers ask for.
	ResyncPeriod time.Duration

	// OnPanic gets the value of a handler's panic, on the goroutine of that call. It is a part
	// of the call that panicked, which has not returned before OnPanic has. It may be nil,
	// and does not panic.
	OnPanic func(value any)
}

// SharedInformer keeps the Indexer in step with the Queue and notifies handlers.
//
// # What handlers hear
//
// The deltas of an object are applied in order, the oldest first. The name of a delta
// does not decide what a handler hears: the Indexer does. (With one exception: who hears of
// a sync.)
//
//   - The delta is not a deletion and the Indexer has the object: the object is updated,
//     and handlers hear OnUpdate with the object that was stored before and the delta's
//     object.
//   - The delta is not a deletion and the Indexer does not have the object: it is added,
//     and handlers hear OnAdd. isInInitialList is the value that the Queue passes.
//   - The delta is a deletion: the object is deleted, and handlers hear OnDelete with
//     the delta's object and its FinalStateUnknown, also if the Indexer did not have it.
//
// The Indexer changes before any handler hears of it. So a handler that looks at the
// Indexer finds the state it has heard of, or a newer one.
//
// An update that brings another resource version goes to every handler, also if it comes
// from a list. An update in which both objects have the same resource version is a sync:
// nothing has changed. If it comes from a Resync, that is, if the delta is a kit.DeltaSync,
// it goes to those handlers for which shouldResync has just found a resync due, and to no
// others. Three things are left open: whether a handler hears of a sync of another type;
// whether it hears of one if it was added after shouldResync was called; and, if
// shouldResync is called again before the Queue has passed all syncs of the last Resync,
// which of the two calls decides about the rest.
//
// If the Indexer returns an error, no handler hears of that delta. What becomes of the
// later deltas in the same Pop is left open; the informer goes on with the next Pop.
//
// # How handlers are called
//
// Each handler is called by one goroutine at a time and hears everything exactly once,
// in the order in which the Indexer changed, until it is removed or the informer
// stops. A handler that is in no call, and not in the pause after a panic, is called at
// once. Handlers do not wait for each other, and neither the Indexer nor the Queue
// waits for a handler: notifications that a handler has not got to yet are pending in
// a buffer of its own, however many they are. When a call, and the pause after it if there
// is one, is over, the buffer no longer refers to the objects of that call, whether other
// notifications are pending or not. When nothing is pending and the handler is in no call
// and no pause, the buffer, with all its parts, has room for no more than 1024
// notifications, both when the handler is new and after a burst. (All slices of it count
// together, each by its capacity.)
//
// A handler that panics does not end the program (in client-go it does by default).
// The informer recovers the panic and calls OnPanic at once, also if the handler was removed
// during that call. It does not repeat the call, and makes the next pending one a second
// after the panic, and none before; a notification that comes after that second is not
// delayed. (It is left open whether the second begins before or after OnPanic.) Other
// handlers do not notice. If the handler is removed in that second, or Run ends, nothing
// waits for the rest of it, and no call follows.
//
// A handler may call any method of the informer but Run. So may OnPanic.
//
// # Resync
//
// The informer has one check period, which it gives to Reflect. At first that is
// ResyncPeriod, also if it is less than a second. Each handler has a resync period: 0 means
// never, and less than a second means a second. (Periods are not negative.) A handler that
// is added before Run with a period shorter than the check period shortens the check period,
// which stays so if the handler is removed. A handler that is added during Run does not
// change the check period: if its own is shorter, it becomes as long as the check period.
// What is compared is the handler's period after less than a second has become a second,
// and 0 is not shorter than any other.
//
// A handler's resync is due when shouldResync is called and its period has passed since it
// was added (before Run as well), or since the last call of shouldResync that found it due.
// Exactly that long is enough. Whether the informer has synced does not matter.
// shouldResync reports whether any handler's resync is due.
type SharedInformer[T kit.Object] struct {
	// The fields are yours.
}

var _ kit.SharedInformer[*kit.Pod] = (*SharedInformer[*kit.Pod])(nil)

// New returns an informer that does not run yet. Before Run the informer has no goroutine:
// neither New nor AddEventHandler starts one.
func New[T kit.Object](options Options[T]) *SharedInformer[T] {
	panic(kit.TODO("New"))
}

// AddEventHandler is AddEventHandlerWithResyncPeriod with the period of the Options.
func (s *SharedInformer[T]) AddEventHandler(handler kit.ResourceEventHandler[T]) (kit.Registration, error) {
	panic(kit.TODO("SharedInformer.AddEventHandler"))
}

// AddEventHandlerWithResyncPeriod adds a handler, before Run or during it. In the
// second case the Indexer holds objects that the handler has not heard of: it hears
// OnAdd with isInInitialList true once for each object that is in the Indexer at one
// moment during the call, and of every change after that moment.
//
// The handler is not called before Run, and AddEventHandlerWithResyncPeriod does not
// wait for a call. When Run has returned, it returns ErrStopped, itself and not
// wrapped, and the handler is never called. Between the end of ctx and that moment
// either may happen; if the handler is added, its ShutdownChan is closed when Run returns.
// A handler that is added twice has two registrations, and each of them hears everything.
// handler is never nil.
//
// The HasSynced of a registration is true once that of the informer is true and every
// OnAdd with isInInitialList true that the handler has to hear has returned; then it
// stays true, whatever happens. Whether it becomes true, and when, is left open for a
// handler that panicked in one of these calls or was removed, or whose informer has stopped.
func (s *SharedInformer[T]) AddEventHandlerWithResyncPeriod(handler kit.ResourceEventHandler[T], resyncPeriod time.Duration) (kit.Registration, error) {
	panic(kit.TODO("SharedInformer.AddEventHandlerWithResyncPeriod"))
}

// RemoveEventHandler removes a handler, before Run, during it or afterwards. The
// handler hears of no later change, and its pending notifications are dropped, except that
// one more call may begin.
//
// It does not wait for the handler: a call that is under way goes on. When the last call has
// returned, the ShutdownChan of the registration is closed, and only the registration is
// left: it may still refer to the handler, but not to what was pending. The informer itself
// keeps no reference to the handler then. If a handler is removed before Run, both hold when
// RemoveEventHandler returns: its ShutdownChan is closed, and only the registration is left.
//
// Removing a handler twice, or after the informer has stopped, does nothing and is no
// error. Removing something that is no registration of this informer does nothing; whether
// it is an error is left open. (It may be nil, or of any type that can be compared.)
func (s *SharedInformer[T]) RemoveEventHandler(registration kit.Registration) error {
	panic(kit.TODO("SharedInformer.RemoveEventHandler"))
}

// GetIndexer returns the Indexer of the Options.
func (s *SharedInformer[T]) GetIndexer() kit.Indexer[T] {
	panic(kit.TODO("SharedInformer.GetIndexer"))
}

// Run calls Reflect, pops the Queue and calls the handlers, until ctx is done. Then it
// closes the Queue and waits until Reflect has returned and the last Pop has ended. Only
// after that it stops the handlers and drops pending notifications. (Whether what is left
// in the Queue is still applied, and whether Reflect has returned when the Queue is closed,
// is left open.) A call that is under way may take its time: Run waits for it. When Run has
// returned, no handler is called and no goroutine is left. Every ShutdownChan is closed by
// then.
//
// An informer runs once. Every other call of Run, at the same time or later, does
// nothing and returns at once.
func (s *SharedInformer[T]) Run(ctx context.Context) {
	panic(kit.TODO("SharedInformer.Run"))
}

// HasSynced reports whether all objects of the first list are in the Indexer, as the Queue
// says. It does not wait for handlers: see Registration. The end of Run does not change it.
func (s *SharedInformer[T]) HasSynced() bool {
	panic(kit.TODO("SharedInformer.HasSynced"))
}

// IsStopped is false before Run and until its ctx is done, and true when Run has
// returned.
func (s *SharedInformer[T]) IsStopped() bool {
	panic(kit.TODO("SharedInformer.IsStopped"))
}
