// Package reconciler is lab 19 with its state in a channel with room for one: a call that needs
// it takes it out and hands it on. One goroutine takes requests out of the queue, the sources start one
// after the other, and a Start that ends before they have synced leaves the queue open. A Kind
// reports a refusal only when it is waited for, and is deaf once its ctx is done.
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

// Options are the parts and settings of a Controller.
type Options struct {
	Reconciler              kit.Reconciler
	Queue                   kit.RateLimitingQueue[kit.Request]
	MaxConcurrentReconciles int
	CacheSyncTimeout        time.Duration
	ReconciliationTimeout   time.Duration
	RecoverPanic            *bool
	OnError                 func(request kit.Request, err error)
}

// life is what Watch and Start share; who holds it has the only copy.
type life struct {
	sources []Source
	ctx     context.Context // of the sources; nil before Start
}

// Controller calls a Reconciler for the requests of a queue: one goroutine takes
// requests, and each gets a goroutine of its own.
type Controller struct {
	Options
	begun atomic.Bool
	life  chan life // room for one
}

// New returns a controller that does nothing yet.
func New(options Options) *Controller {
	c := &Controller{Options: options, life: make(chan life, 1)}
	c.life <- life{}
	return c
}

// Watch adds sources.
func (c *Controller) Watch(sources ...Source) error {
	l := <-c.life
	if l.ctx == nil {
		all := make([]Source, 0, len(l.sources)+len(sources))
		all = append(all, l.sources...)
		all = append(all, sources...)
		l.sources = all
		c.life <- l
		return nil
	}
	c.life <- l

	var errs []error
	for _, source := range sources {
		if err := source.Start(l.ctx, c.Queue); err != nil {
			errs = append(errs, fmt.Errorf("watch: %w", err))
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return errs[0]
}

// Start runs the controller.
func (c *Controller) Start(ctx context.Context) error {
	if c.begun.Swap(true) {
		return errors.New("controller: a controller starts once")
	}
	own, stop := context.WithCancel(ctx)
	defer stop()

	l := <-c.life
	l.ctx = own
	sources := l.sources
	l.sources = nil
	c.life <- l

	if err := c.prepare(own, sources); err != nil {
		return err
	}

	finished := make(chan struct{})
	go func() {
		defer close(finished)
		c.dispatch(own)
	}()
	<-ctx.Done()
	c.Queue.ShutDown()
	<-finished
	return nil
}

// prepare starts the sources, one after the other, and waits for them all together.
func (c *Controller) prepare(ctx context.Context, sources []Source) error {
	timeout := c.CacheSyncTimeout
	if timeout == 0 {
		timeout = 2 * time.Minute
	}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()

	var mu sync.Mutex
	var failures []error
	fail := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		failures = append(failures, err)
	}
	failure := func() error {
		mu.Lock()
		defer mu.Unlock()
		return errors.Join(failures...)
	}

	startsDone := make(chan struct{})
	go func() {
		defer close(startsDone)
		for _, source := range sources {
			if limited.Err() != nil {
				return
			}
			if err := source.Start(ctx, c.Queue); err != nil {
				fail(err)
			}
		}
	}()
	select {
	case <-startsDone:
	case <-limited.Done():
	}
	if limited.Err() != nil {
		fail(fmt.Errorf("controller: the sources have not started: %w", limited.Err()))
	}
	if err := failure(); err != nil {
		return err
	}

	var waits sync.WaitGroup
	for _, source := range sources {
		waits.Add(1)
		go func() {
			defer waits.Done()
			if err := source.WaitForSync(limited); err != nil {
				fail(err)
			} else if e := limited.Err(); e != nil {
				fail(fmt.Errorf("controller: a source has not synced: %w", e))
			}
		}()
	}
	waits.Wait()
	return failure()
}

// dispatch takes requests and returns when the queue is shut down and all have been reconciled.
func (c *Controller) dispatch(ctx context.Context) {
	slots := make(chan struct{}, max(c.MaxConcurrentReconciles, 1))
	queue := withPriorities(c.Queue)
	var running sync.WaitGroup
	defer running.Wait()
	for {
		slots <- struct{}{}
		request, priority, shutdown := queue.GetWithPriority()
		if shutdown {
			return
		}
		if ctx.Err() != nil {
			queue.Done(request)
			<-slots
			continue
		}
		running.Add(1)
		go func() {
			defer running.Done()
			result, err := c.Reconcile(ctx, request)
			if err != nil && c.OnError != nil {
				c.OnError(request, err)
			}
			c.settle(queue, request, priority, result, err)
			<-slots
		}()
	}
}

// settle tells the queue what becomes of a request.
func (c *Controller) settle(queue kit.PriorityQueue[kit.Request], request kit.Request, priority int, result kit.Result, err error) {
	again := kit.AddOpts{Priority: &priority}
	if err == nil && result.Priority != nil {
		again.Priority = result.Priority
	}
	switch {
	case kit.IsTerminal(err):
	case err != nil:
		again.RateLimited = true
		queue.AddWithOpts(again, request)
	case result.RequeueAfter > 0:
		again.After = result.RequeueAfter
		queue.Forget(request)
		queue.AddWithOpts(again, request)
	case result.Requeue:
		again.RateLimited = true
		queue.AddWithOpts(again, request)
	default:
		queue.Forget(request)
	}
	queue.Done(request)
}

// Reconcile calls Reconciler once.
func (c *Controller) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	if d := c.ReconciliationTimeout; d > 0 {
		limited, cancel := context.WithTimeout(ctx, d)
		defer cancel()
		ctx = limited
	}
	if c.RecoverPanic != nil && !*c.RecoverPanic {
		return c.Reconciler.Reconcile(ctx, request)
	}
	return recovered(func() (kit.Result, error) { return c.Reconciler.Reconcile(ctx, request) })
}

func recovered(f func() (kit.Result, error)) (result kit.Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			result = kit.Result{}
			err = errors.New("panic in Reconcile: " + fmt.Sprint(v))
		}
	}()
	return f()
}
