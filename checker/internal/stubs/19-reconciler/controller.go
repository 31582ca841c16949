// Package reconciler is lab 19: the controller, which takes names out of a queue, has
// one worker at a time reconcile each, and decides when to try again.
package reconciler

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Options are the parts and settings of a Controller (controller.Options). Reconciler
// and Queue are needed. What a negative duration means is left open.
type Options struct {
	// Reconciler does the work. Many workers call it at once, but never two for one
	// request.
	Reconciler kit.Reconciler

	// Queue holds the requests that wait. It belongs to this one controller: nobody else
	// shuts it down. If it is a kit.PriorityQueue, priorities are kept.
	Queue kit.RateLimitingQueue[kit.Request]

	// MaxConcurrentReconciles is how many calls of Reconciler run at once, if there is
	// work for that many. Less than 1 means 1.
	MaxConcurrentReconciles int

	// CacheSyncTimeout is how long all sources together may take to start and to sync,
	// counted from the beginning of Start. 0 means 2 minutes.
	CacheSyncTimeout time.Duration

	// ReconciliationTimeout is the time after which the ctx of a Reconcile is done,
	// counted from the beginning of that call. 0 means that there is no such limit.
	ReconciliationTimeout time.Duration

	// RecoverPanic says whether a panic of Reconciler becomes an error. nil means yes.
	// If it is false, the panic goes on and ends the process.
	RecoverPanic *bool

	// OnError gets every error of a reconcile: terminal ones too, and those made from
	// panics. A Requeue is no error. The worker calls it before it calls Done for the
	// request; Controller.Reconcile, called by somebody else, does not. It may be nil.
	OnError func(request kit.Request, err error)
}

// Controller calls a Reconciler for the requests of a queue (controller-runtime
// pkg/internal/controller.Controller).
//
// # What becomes of a request
//
// A worker takes a request out of the queue, calls Reconcile, and then does one of
// these:
//
//   - There is an error, and it is not terminal: AddRateLimited. The Result is
//     ignored, with one exception that is left open: whether its Priority counts. The
//     error may be of any type: it need not be comparable, and its Error may panic, as that
//     of a nil pointer may.
//   - There is a terminal error (kit.IsTerminal): nothing. The request is not added
//     again, and its failures are not forgotten.
//   - RequeueAfter is greater than zero: Forget, and AddAfter. The rate limiter does
//     not affect that time.
//   - Requeue is set: AddRateLimited, and no Forget.
//   - Otherwise: Forget.
//
// After that, in each of these cases, comes Done. It is the last call about the request
// that this worker makes on the queue: another worker may have the request by then. A
// request that was taken out and is not reconciled, because ctx is done, gets its Done, too.
//
// If the queue is a kit.PriorityQueue, a request that is added again keeps the
// priority with which it was taken out, unless Result.Priority sets another.
//
// # Once at a time
//
// Two workers never have the same request: the queue ensures that, as long as Done
// comes when Reconcile has returned and not earlier. There is no other order among
// requests.
type Controller struct {
	// The fields are yours.
}

// New returns a controller that does nothing yet. New starts no goroutine.
func New(options Options) *Controller {
	panic(kit.TODO("New"))
}

// Watch adds sources of requests. Before Start it keeps them until then. During Start
// it starts each of them at once, with the ctx and the queue that the others got, does
// not wait for it to sync, and returns the first error of a source's Start. If several
// fail, that is the error of the one that stands first, or of the one that failed first.
// Watch may wrap it. A source whose Start fails does not keep the others from being
// started. There is one exception to "at once": while Start waits for its sources to sync,
// Watch may wait until that is over.
//
// Watch may be called from any goroutine, also while Start is being called: a source is
// started once, whichever comes first. It may wait for another Watch that is starting its
// sources. What it does after Start has returned or when its ctx is done, and when the Start of a
// source calls it, is left open. So is whether anybody calls WaitForSync of a source that Watch has
// started.
func (c *Controller) Watch(sources ...Source) error {
	panic(kit.TODO("Controller.Watch"))
}

// Start starts the sources, waits until all have synced, then starts the workers, and
// blocks until ctx is done.
//
// Start starts all sources before it waits for any of them, because one may need another: it
// calls WaitForSync when the Start of every source has returned. They add to Options.Queue, or to
// something that passes everything on to it. The ctx of their Start is done when ctx is, or when
// Start returns, and no sooner. The ctx of their WaitForSync is also done after CacheSyncTimeout.
// It may end earlier, but only once a source has failed or all have synced. A source whose Start
// fails does not keep the others from being started, and one that does not sync does not keep the
// others from being waited for. If a source returns an error, Start returns one that wraps it,
// even if another source never syncs, and at the latest when the time for syncing is over. If a
// source has not synced by then, Start returns an error. It does so even if the Start of a source
// blocks. When that Start returns later, with an error or without, no goroutine is left. In these
// cases Reconciler is never called.
//
// Four things are left open: whether the sources are started one after the other, so that those
// behind a Start that blocks are not started at all; whether any source is waited for when the
// Start of another has failed; which error Start wraps if several sources return one; and whether
// the queue is shut down when Start returns an error.
//
// When ctx is done, so is the ctx of every reconcile, which is derived from it. Start shuts
// the queue down, once, waits for the reconciles that are under way, which may take their
// time, and returns nil, also if these fail. Once the workers run, ShutDownWithDrain will do, too;
// without workers it may never return. Start does not wait for a Watch that is starting its
// sources. Whether requests that are still in the queue are reconciled at that point is left open.
// When Start has returned, Reconciler is not called again, and no goroutine of the controller runs
// for long.
//
// If ctx is done while the sources start or sync, Start returns soon. Whether it returns an error
// then, and whether anything is reconciled, is left open. If it returns nil, it has shut the queue
// down, once.
//
// A controller starts once: every other Start returns an error and does nothing else,
// during the first as well as after it. It may wait until the first has dealt with its sources,
// and for a Watch that is starting its own.
// If the first has failed, or its ctx was done before it had begun to work, whether a second
// begins anew is left open. Either way the second returns soon when its own ctx is done.
func (c *Controller) Start(ctx context.Context) error {
	panic(kit.TODO("Controller.Start"))
}

// Reconcile calls Reconciler once, on the goroutine of the caller and in the same way
// as the workers do: with a ctx that is derived from the given one and also ends after
// ReconciliationTimeout, and, unless RecoverPanic is false, with panics made errors.
// Such an error is not terminal, and its text contains the value of the panic.
// Reconcile does not touch the queue.
//
// It returns when Reconciler has, however long that takes: a timeout ends the ctx, not
// the call. With a ReconciliationTimeout the ctx is done when Reconcile has returned.
func (c *Controller) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	panic(kit.TODO("Controller.Reconcile"))
}
