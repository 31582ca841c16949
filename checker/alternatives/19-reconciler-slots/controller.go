// Package reconciler is lab 19 with one goroutine that takes requests out of the queue and gives
// each a goroutine of its own, for which a slot must be free. A lock is held from the
// beginning of Start until all sources have synced.
package reconciler

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Options are the parts and settings of a Controller (controller.Options). Reconciler
// and Queue are needed. What a negative duration means is left open.
type Options struct {
	// Reconciler does the work. It is called by many workers at once, though never by
	// two for one request.
	Reconciler kit.Reconciler

	// Queue holds the requests that wait. It belongs to this one controller: nobody else
	// shuts it down. If it is a kit.PriorityQueue, priorities are kept.
	Queue kit.RateLimitingQueue[kit.Request]

	// MaxConcurrentReconciles is how many calls of Reconciler run at once, if there is
	// work for so many. Less than 1 means 1.
	MaxConcurrentReconciles int

	// CacheSyncTimeout is how long all sources together may take to start and to sync,
	// counted from the beginning of Start. 0 means 2 minutes.
	CacheSyncTimeout time.Duration

	// ReconciliationTimeout is when the ctx of a Reconcile is done, counted from the
	// beginning of that call. 0 means that it has no such limit.
	ReconciliationTimeout time.Duration

	// RecoverPanic says whether a panic of Reconciler is made an error. nil means yes.
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
//     ignored, with one exception that is left open: whether its Priority counts.
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
	Options
	mu      sync.Mutex // held by Start until all sources have synced
	begun   bool
	sources []Source
	srcCtx  context.Context
}

// New returns a controller that does nothing yet. New starts no goroutine.
func New(options Options) *Controller {
	return &Controller{Options: options}
}

// Watch adds sources of requests. Before Start it keeps them until then. During Start
// it starts each of them at once, with the ctx and the queue that the others got, does
// not wait for it to sync, and returns the first error of a source's Start. A source
// whose Start fails does not keep the others from being started. There is one exception to "at once":
// while Start waits for its sources to sync, Watch may wait until that is over.
//
// Watch may be called from any goroutine, also while Start is being called: a source is
// started once, whichever comes first. What it does when the ctx of Start is done is
// left open.
func (c *Controller) Watch(sources ...Source) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.begun {
		c.sources = append(c.sources, sources...)
		return nil
	}
	var errs []error
	for _, s := range sources {
		errs = append(errs, s.Start(c.srcCtx, c.Queue))
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Start starts the sources, waits until all have synced, then starts the workers, and
// blocks until ctx is done.
//
// Start starts all sources before it waits for any of them, because one may need another:
// it calls WaitForSync when the Start of every source has returned. They add to
// Options.Queue, or to something that passes everything on to it. The ctx of their Start
// is done when ctx is, or when Start returns, and no sooner. The ctx of their WaitForSync
// is also done after CacheSyncTimeout. It may end earlier, but only once a source has failed
// or all have synced. If a source returns an error, Start returns one that wraps it, at the
// latest when the time for syncing is over. If a source has not synced by then, Start
// returns an error. It does so even if the Start of a source blocks; when that returns one
// day, whatever it returns, no goroutine is left. In these cases Reconciler is never
// called.
//
// When ctx is done, Start shuts the queue down, once, waits for the reconciles that are
// under way, which may take their time, and returns nil. Their ctx is done, too. Whether
// requests that are still in the queue are reconciled at that point is left open. When
// Start has returned, Reconciler is not called again, and no goroutine of the
// controller runs for long.
//
// If ctx is done while the sources start or sync, Start returns soon. Whether it returns an error
// then, and whether anything is reconciled, is left open. If it returns nil, it has shut the queue
// down, once.
//
// A controller starts once: every other Start returns an error and does nothing else,
// during the first as well as after it. It may wait until the first has dealt with its sources.
// If the first has failed, what a second does is left open.
func (c *Controller) Start(ctx context.Context) error {
	srcCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := c.begin(ctx, srcCtx); err != nil {
		return err
	}
	// One goroutine takes out, each request gets a goroutine of its own, and a slot must
	// be free before a request is taken.
	slots := make(chan struct{}, max(1, c.MaxConcurrentReconciles))
	queue := withPriorities(c.Queue)
	go func() {
		<-ctx.Done()
		c.Queue.ShutDown()
	}()
	for {
		slots <- struct{}{}
		request, priority, shutdown := queue.GetWithPriority()
		if shutdown {
			<-slots
			break
		}
		go func() {
			defer func() { <-slots }()
			c.one(ctx, queue, request, priority)
		}()
	}
	for range cap(slots) {
		slots <- struct{}{} // the last has gone
	}
	return nil
}

func (c *Controller) begin(ctx, srcCtx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.begun {
		return errors.New("already started")
	}
	c.begun, c.srcCtx = true, srcCtx
	timeout := c.CacheSyncTimeout
	if timeout == 0 {
		timeout = 2 * time.Minute
	}
	syncCtx, cancel := context.WithTimeoutCause(ctx, timeout, errors.New("sources have not synced in time"))
	defer cancel()
	var started sync.WaitGroup
	started.Add(len(c.sources))
	results := make(chan error, len(c.sources))
	allStarted := make(chan struct{})
	go func() { started.Wait(); close(allStarted) }()
	for _, s := range c.sources {
		go func() {
			err := s.Start(srcCtx, c.Queue)
			if err != nil {
				results <- fmt.Errorf("source: %w", err)
				started.Done()
				return
			}
			started.Done()
			select {
			case <-allStarted:
				results <- s.WaitForSync(syncCtx)
			case <-syncCtx.Done():
				results <- context.Cause(syncCtx)
			}
		}()
	}
	for range c.sources {
		select {
		case err := <-results:
			if err != nil {
				c.Queue.ShutDown()
				return fmt.Errorf("cannot start: %w", err)
			}
		case <-syncCtx.Done():
			c.Queue.ShutDown()
			return context.Cause(syncCtx)
		}
	}
	if err := context.Cause(syncCtx); err != nil {
		c.Queue.ShutDown()
		return err
	}
	return nil
}

func (c *Controller) one(ctx context.Context, queue kit.PriorityQueue[kit.Request], request kit.Request, priority int) {
	result, err := c.Reconcile(ctx, request)
	if result.Priority != nil {
		priority = *result.Priority
	}
	again := kit.AddOpts{Priority: new(int)}
	*again.Priority = priority
	if err != nil {
		if tell := c.OnError; tell != nil {
			tell(request, err)
		}
		if !kit.IsTerminal(err) {
			again.RateLimited = true
			queue.AddWithOpts(again, request)
		}
	} else if result.RequeueAfter > 0 {
		again.After = result.RequeueAfter
		queue.Forget(request)
		queue.AddWithOpts(again, request)
	} else if result.Requeue {
		again.RateLimited = true
		queue.AddWithOpts(again, request)
	} else {
		queue.Forget(request)
	}
	queue.Done(request)
}

// Reconcile calls Reconciler once, on the goroutine of the caller and in the same way
// as the workers do: with a ctx that is derived from the given one and also ends after
// ReconciliationTimeout, and, unless RecoverPanic is false, with panics made errors.
// Such an error is not terminal, and its text contains the value of the panic.
// Reconcile does not touch the queue.
//
// It returns when Reconciler has, however long that takes: a timeout ends the ctx, not
// the call.
func (c *Controller) Reconcile(ctx context.Context, request kit.Request) (result kit.Result, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if c.ReconciliationTimeout > 0 {
		timer := time.AfterFunc(c.ReconciliationTimeout, func() { cancel(context.DeadlineExceeded) })
		defer timer.Stop()
	}
	if c.RecoverPanic != nil && !*c.RecoverPanic {
		return c.Reconciler.Reconcile(ctx, request)
	}
	defer func() {
		if p := recover(); p != nil {
			err = errors.New("the reconciler panicked: " + fmt.Sprint(p))
		}
	}()
	return c.Reconciler.Reconcile(ctx, request)
}
