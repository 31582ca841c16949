// Package reconciler is lab 19 without a lock: the sources that wait for Start go around in a
// channel of one, which Start closes. Sources are started one after the other, and waited
// for together.
package reconciler

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
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
	queue   kit.PriorityQueue[kit.Request]
	state   chan []Source // one element: the sources that wait for Start; closed by Start
	started atomic.Bool
	run     context.Context // of the sources; written before state is closed
}

// New returns a controller that does nothing yet. New starts no goroutine.
func New(options Options) *Controller {
	c := &Controller{Options: options, queue: withPriorities(options.Queue), state: make(chan []Source, 1)}
	c.state <- nil
	return c
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
	if waiting, ok := <-c.state; ok {
		c.state <- append(waiting[:len(waiting):len(waiting)], sources...)
		return nil
	}
	if c.run.Err() != nil {
		return errors.New("watch of a controller that has ended")
	}
	results := make(chan error)
	for _, s := range sources {
		go func() { results <- s.Start(c.run, c.queue) }()
	}
	var first error
	for range sources {
		if err := <-results; first == nil {
			first = err
		}
	}
	return first
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
	if !c.started.CompareAndSwap(false, true) {
		return errors.New("a controller starts once")
	}
	run, cancel := context.WithCancel(ctx)
	defer cancel()
	sources := <-c.state
	c.run = run
	close(c.state)

	shutDown := sync.OnceFunc(c.queue.ShutDown)
	defer shutDown()
	timeout := c.CacheSyncTimeout
	if timeout == 0 {
		timeout = 2 * time.Minute
	}
	if len(sources) > 0 {
		waiting, enough := context.WithTimeout(ctx, timeout)
		synced, failed := make(chan error, 1), make(chan error, len(sources))
		go func() { synced <- oneAfterTheOther(run, waiting, c.queue, sources, failed) }()
		var err error
		select {
		case err = <-synced:
		case <-waiting.Done():
			err = waiting.Err()
		}
		enough()
		select {
		case err = <-failed:
		default:
		}
		if err != nil {
			return fmt.Errorf("sources: %w", err)
		}
	}

	workers := max(1, c.MaxConcurrentReconciles)
	gone := make(chan struct{}, workers)
	for range workers {
		go func() {
			defer func() { gone <- struct{}{} }()
			for {
				request, priority, shutdown := c.queue.GetWithPriority()
				switch {
				case shutdown:
					return
				case ctx.Err() != nil:
					c.queue.Done(request)
				default:
					c.process(ctx, request, priority)
				}
			}
		}()
	}
	<-ctx.Done()
	shutDown()
	for range workers {
		<-gone
	}
	return nil
}

// oneAfterTheOther puts the errors of Start into failed, which has room for all of them.
func oneAfterTheOther(run, waiting context.Context, queue kit.RateLimitingQueue[kit.Request], sources []Source, failed chan<- error) error {
	for _, s := range sources {
		if err := s.Start(run, queue); err != nil {
			failed <- err
		}
		if waiting.Err() != nil {
			return waiting.Err()
		}
	}
	if len(failed) > 0 {
		return errors.New("not all have started")
	}
	synced := make(chan error, len(sources))
	for _, s := range sources {
		go func() { synced <- s.WaitForSync(waiting) }()
	}
	for range sources {
		if err := <-synced; err != nil {
			return err
		}
	}
	return waiting.Err()
}

func (c *Controller) process(ctx context.Context, request kit.Request, priority int) {
	defer c.queue.Done(request)
	result, err := c.Reconcile(ctx, request)
	if p := result.Priority; p != nil && err == nil {
		priority = *p
	}
	o := kit.AddOpts{Priority: &priority, After: max(result.RequeueAfter, 0)}
	if err != nil {
		if c.OnError != nil {
			c.OnError(request, err)
		}
		if kit.IsTerminal(err) {
			return
		}
		o.After = 0
	}
	o.RateLimited = o.After == 0
	if err == nil && !(result.Requeue && o.RateLimited) {
		c.queue.Forget(request)
	}
	if err != nil || o.After > 0 || result.Requeue {
		c.queue.AddWithOpts(o, request)
	}
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
	limit := c.ReconciliationTimeout
	if limit == 0 {
		limit = 1 << 62
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if c.RecoverPanic == nil || *c.RecoverPanic {
		ok := false
		defer func() {
			if !ok {
				err = fmt.Errorf("panic: %v", recover())
			}
		}()
		result, err = c.Reconciler.Reconcile(ctx, request)
		ok = true
		return result, err
	}
	return c.Reconciler.Reconcile(ctx, request)
}
