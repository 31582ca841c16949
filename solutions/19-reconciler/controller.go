// Package reconciler is lab 19: the controller, which takes names out of a queue, has
// each reconciled by one worker at a time, and decides when to try again.
package reconciler

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// defaultSyncTimeout is how long sources may take where nobody says (upstream's default).
const defaultSyncTimeout = 2 * time.Minute

// Options are what a Controller is made of. The stub's documentation is the contract.
type Options struct {
	// Reconciler does the work.
	Reconciler kit.Reconciler

	// Queue holds the requests that wait.
	Queue kit.RateLimitingQueue[kit.Request]

	// MaxConcurrentReconciles is how many calls of Reconciler run at once.
	MaxConcurrentReconciles int

	// CacheSyncTimeout is how long all sources together may take to start and to sync.
	CacheSyncTimeout time.Duration

	// ReconciliationTimeout is when the ctx of a Reconcile is done.
	ReconciliationTimeout time.Duration

	// RecoverPanic says whether a panic of Reconciler is made an error.
	RecoverPanic *bool

	// OnError gets every error of a reconcile: terminal ones too, and those made from
	// panics. A Requeue is no error. The worker calls it before it calls Done for the
	// request; Controller.Reconcile, called by somebody else, does not. It may be nil.
	OnError func(request kit.Request, err error)
}

// Controller calls a Reconciler for the requests of a queue.
//
// Its workers share nothing but the queue. That a request is with one worker at a time
// is the queue's doing, and so is the order between two reconciles of one request: the
// Done that ends the first happens before the Get that begins the second. So a
// Reconciler may keep things per request without a lock.
type Controller struct {
	options Options
	queue   kit.PriorityQueue[kit.Request]

	mu      sync.Mutex // guards everything below
	sources []Source   // those that came before Start
	ctx     context.Context
}

// New returns a controller that does nothing yet.
func New(options Options) *Controller {
	options.MaxConcurrentReconciles = max(options.MaxConcurrentReconciles, 1)
	if options.CacheSyncTimeout == 0 {
		options.CacheSyncTimeout = defaultSyncTimeout
	}
	return &Controller{options: options, queue: withPriorities(options.Queue)}
}

// Watch adds sources of requests: to those that wait for Start, or to the running ones.
//
// mu is let go before a source is started: its Start is not ours and may take long.
func (c *Controller) Watch(sources ...Source) error {
	ctx := c.keep(sources)
	if ctx == nil {
		return nil
	}
	var first error
	for _, s := range sources {
		if err := s.Start(ctx, c.queue); err != nil && first == nil {
			first = err // and the others are started all the same
		}
	}
	return first
}

// keep remembers sources until Start. If that has been called it returns its ctx
// instead. Under one lock with begin a source is started by one of the two and not by both.
func (c *Controller) keep(sources []Source) context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx == nil {
		c.sources = append(c.sources, sources...)
	}
	return c.ctx
}

// Start starts the sources, waits until all have synced, then starts the workers, and
// blocks until ctx is done.
//
// The end goes backwards. ctx tells the reconciles under way; ShutDown tells the workers
// that wait in Get; and only then is it certain that Wait comes to an end.
func (c *Controller) Start(ctx context.Context) error {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	sources, err := c.begin(running)
	if err != nil {
		return err
	}
	if err := c.sync(running, sources); err != nil {
		c.queue.ShutDown()
		if ctx.Err() != nil {
			return nil // to be told to stop is no failure
		}
		return err
	}
	return c.work(ctx)
}

// begin lets the first Start go on and hands it the sources. The controller lets go of
// them: each holds an informer, and with it a cache.
func (c *Controller) begin(ctx context.Context) ([]Source, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx != nil {
		return nil, errors.New("reconciler: the controller was started more than once")
	}
	sources := c.sources
	c.ctx, c.sources = ctx, nil
	return sources, nil
}

// sync starts all sources, and when each has started waits until each has synced.
//
// Start and WaitForSync get a ctx each. It is tempting to give syncing to both; then
// every source ends two minutes later.
func (c *Controller) sync(ctx context.Context, sources []Source) error {
	syncing, cancel := context.WithTimeout(ctx, c.options.CacheSyncTimeout)
	defer cancel()
	err := each(syncing, sources, func(s Source) error { return s.Start(ctx, c.queue) })
	if err != nil {
		return fmt.Errorf("reconciler: starting sources, for at most %v: %w", c.options.CacheSyncTimeout, err)
	}
	err = each(syncing, sources, func(s Source) error { return s.WaitForSync(syncing) })
	if err != nil {
		return fmt.Errorf("reconciler: syncing sources, for at most %v: %w", c.options.CacheSyncTimeout, err)
	}
	return nil
}

// each calls do for all sources side by side, waits for the calls, and returns the first
// error. If ctx is done before the last call has returned, it returns the error of ctx.
//
// It does not wait for a call that takes too long: nothing could make it return. But
// errs has room for the result of such a call, so that its goroutine does not wait for
// a receiver that has left.
func each(ctx context.Context, sources []Source, do func(Source) error) error {
	errs := make(chan error, len(sources))
	for _, s := range sources {
		go func() { errs <- do(s) }()
	}
	for range sources {
		select {
		case err := <-errs:
			if err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return ctx.Err() // a WaitForSync may return nil because ctx is done
}

// work runs the workers until ctx is done and the last of them has returned.
func (c *Controller) work(ctx context.Context) error {
	var workers sync.WaitGroup
	for range c.options.MaxConcurrentReconciles {
		workers.Go(func() {
			for c.next(ctx) {
			}
		})
	}
	<-ctx.Done()
	c.queue.ShutDown()
	workers.Wait()
	return nil
}

// next takes one request through its whole way, and reports false when there will be
// no more. Done is deferred, and so the last the queue hears, whatever becomes of the rest.
func (c *Controller) next(ctx context.Context) bool {
	request, priority, shutdown := c.queue.GetWithPriority()
	if shutdown {
		return false
	}
	defer c.queue.Done(request)
	result, err := c.Reconcile(ctx, request)
	if err != nil {
		c.failed(request, priority, err)
	} else {
		c.settle(request, priority, result)
	}
	return true
}

// failed reports an error, and has the request tried again if that could help. A
// terminal one is not forgotten: its next failure is not its first.
func (c *Controller) failed(request kit.Request, priority int, err error) {
	if !kit.IsTerminal(err) {
		c.queue.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: &priority}, request)
	}
	if c.options.OnError != nil {
		c.options.OnError(request, err)
	}
}

// settle does what the Reconciler has asked for, of a request that did not fail.
//
// RequeueAfter is a date and not a retry, so the rate limiter is not asked, and the
// failures of the past are forgotten: else a request that is looked at every minute
// would wait for hours after its next failure (controller-runtime#392).
func (c *Controller) settle(request kit.Request, priority int, result kit.Result) {
	if result.Priority != nil {
		priority = *result.Priority
	}
	switch {
	case result.RequeueAfter > 0:
		c.queue.Forget(request)
		c.queue.AddWithOpts(kit.AddOpts{After: result.RequeueAfter, Priority: &priority}, request)
	case result.Requeue:
		c.queue.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: &priority}, request)
	default:
		c.queue.Forget(request)
	}
}

// Reconcile calls Reconciler once, as the workers do.
//
// It does not run it on a goroutine of its own to leave that behind at the timeout. The
// reconcile would go on all the same, and Done would hand its request to a second one.
func (c *Controller) Reconcile(ctx context.Context, request kit.Request) (result kit.Result, err error) {
	if c.options.RecoverPanic == nil || *c.options.RecoverPanic {
		defer func() {
			if p := recover(); p != nil {
				result, err = kit.Result{}, fmt.Errorf("panic: %v [recovered]", p)
			}
		}()
	}
	if c.options.ReconciliationTimeout > 0 {
		limited, cancel := context.WithTimeout(ctx, c.options.ReconciliationTimeout)
		defer cancel()
		ctx = limited
	}
	return c.options.Reconciler.Reconcile(ctx, request)
}
