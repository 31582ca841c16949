// Package reconcilertest is the conformance suite of lab 19. The queue, the informers and
// the sources are the suite's own, so that a case is about the controller and nothing
// else; and so controller-runtime's controller can be put to the same cases, with its own
// sources and handlers in front of the suite's queue.
//
// Upstream bugs without a fault: controller-runtime#649, a queue made in New that leaked, as
// the queue is given here. Its other bugs of queues are faults of lab 13.
//
// The contract leaves open, and no case looks at: whether what waits in the queue is
// reconciled when ctx is done; what Start returns when it is stopped before the sources
// have synced; whether the Priority of a Result counts beside an error; whether a handler
// is removed from its informer; a Watch after the end; a Start after one that failed.
//
// What it can miss: a worker that is lost on schedules which 16 copies never meet; a
// controller that is slow; a WaitForSync that looks so often that it costs something.
package reconcilertest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// The vocabulary of the lab, as the suite sees it: the bridge translates.
type (
	// Queue is what requests wait in.
	Queue = kit.RateLimitingQueue[kit.Request]

	// Informer is what sources hear of pods from.
	Informer = kit.SharedInformer[*kit.Pod]

	// Handler is what a Source of Kind tells.
	Handler = func(queue Queue) kit.ResourceEventHandler[*kit.Pod]

	// Options are those of the lab, field by field.
	Options struct {
		Reconciler              kit.Reconciler
		Queue                   Queue
		MaxConcurrentReconciles int
		CacheSyncTimeout        time.Duration
		ReconciliationTimeout   time.Duration
		RecoverPanic            *bool
		OnError                 func(request kit.Request, err error)
	}

	// Source is that of the lab.
	Source interface {
		Start(ctx context.Context, queue Queue) error
		WaitForSync(ctx context.Context) error
	}

	// Controller is a subject's.
	Controller interface {
		Watch(sources ...Source) error
		Start(ctx context.Context) error
		Reconcile(ctx context.Context, request kit.Request) (kit.Result, error)
	}

	// Predicate is that of the lab, for pods.
	Predicate struct {
		AddFunc    func(obj *kit.Pod) bool
		UpdateFunc func(oldObj, newObj *kit.Pod) bool
		DeleteFunc func(obj *kit.Pod) bool
	}
)

// Subject is lab 19 as the suite sees it.
type Subject struct {
	New               func(o Options) Controller
	Kind              func(i Informer, h Handler, predicates ...Predicate) Source
	For               func(i Informer, predicates ...Predicate) Source
	Owns              func(i Informer, owner kit.TypeMeta, predicates ...Predicate) Source
	Watches           func(i Informer, mapFunc func(*kit.Pod) []kit.Request, predicates ...Predicate) Source
	RateLimited       func(s Source) Source
	GenerationChanged func() Predicate

	// WatchPart calls Watch of c with the first half of a slice of source and other, puts other in
	// the place of source afterwards, and reports whether Watch had left the slice as it was. A slice
	// of the suite's would not do: its elements are of another type, so each Watch gets a copy. It is
	// nil where Watch takes no slice.
	WatchPart func(c Controller, source, other Source) (untouched bool, err error)
}

// Lab describes lab 19 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:     "19-reconciler",
		Title:   "The reconciler",
		Builds:  "the controller: from events to names, from names to one worker each, and when to try again",
		Files:   []string{"controller.go", "source.go", "handler.go", "predicate.go", "queue.go"},
		Imports: []string{"runtime/debug.Stack", "time"},
		Cases:   conform.Describe(Cases()),
	}
}

// Cases are the claims. They are exported for the module that puts the real
// controller-runtime to them.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }

// named is a request in the namespace that all of them are in.
func named(name string) kit.Request { return kit.Request{Namespace: "shop", Name: name} }

// client calls the subject and writes every call down as one actor of the history.
type client struct {
	a *conform.Actor
	c Controller
}

// control makes a controller.
func control(t *conform.T, s Subject, o Options) client {
	c := client{a: t.Actor}
	t.Do(func() { c.c = s.New(o) }, "New(max %d, sync timeout %v, reconcile timeout %v, RecoverPanic %s)", o.MaxConcurrentReconciles, o.CacheSyncTimeout, o.ReconciliationTimeout, pointed(o.RecoverPanic))
	return c
}

// pointed is a pointer to a bool as the history shows it.
func pointed(b *bool) string {
	if b == nil {
		return "nil"
	}
	return fmt.Sprint(*b)
}

// as is the same controller in the hands of another goroutine.
func (c client) as(a *conform.Actor) client {
	c.a = a
	return c
}

func (c client) watch(sources ...Source) error {
	return conform.Do(c.a, func() error { return c.c.Watch(sources...) }, "Watch(%s)", conform.Count(len(sources), "source"))
}

// watches is watch where there is no reason to fail.
func (c client) watches(t *conform.T, sources ...Source) {
	err := c.watch(sources...)
	t.Require(err == nil, "Watch returned %q, and no source has failed. nil was due.", err)
}

func (c client) start(ctx context.Context) error {
	return conform.Do(c.a, func() error { return c.c.Start(ctx) }, "Start(ctx)")
}

func (c client) reconcile(ctx context.Context, name string) (kit.Result, error) {
	call := c.a.Call("Reconcile(%s)", name)
	result, err := c.c.Reconcile(ctx, named(name))
	call.Returned("%s, %v", said(result), err)
	return result, err
}

// said is a Result as the history shows it.
func said(r kit.Result) string {
	var fields []string
	if r.Requeue {
		fields = append(fields, "Requeue: true")
	}
	if r.RequeueAfter != 0 {
		fields = append(fields, fmt.Sprintf("RequeueAfter: %v", r.RequeueAfter))
	}
	if r.Priority != nil {
		fields = append(fields, fmt.Sprintf("Priority: %d", *r.Priority))
	}
	return "Result{" + strings.Join(fields, ", ") + "}"
}

// process is a Start of the subject.
type process struct {
	cancel func()
	done   chan struct{}
	err    error         // what Start returned, once done is closed
	at     time.Duration // when that was
}

// run calls Start on a goroutine of its own. The caller defers cancel, and calls end
// where the case ends well.
func (c client) run(t *conform.T) *process {
	ctx, cancel := t.WithCancel(t.Context(), "Start's ctx")
	return c.runIn(t, ctx, cancel)
}

// runIn is run with a ctx of the case.
func (c client) runIn(t *conform.T, ctx context.Context, cancel func()) *process {
	p := &process{cancel: cancel, done: make(chan struct{})}
	t.Go("start", func(a *conform.Actor) {
		defer close(p.done)
		p.err = c.as(a).start(ctx)
		p.at = t.Elapsed()
	})
	return p
}

// end cancels the ctx of Start and waits until it has returned.
func (p *process) end() {
	p.cancel()
	<-p.done
}

func (p *process) returned() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

func seconds(s ...float64) []time.Duration {
	all := []time.Duration{}
	for _, x := range s {
		all = append(all, time.Duration(x*float64(time.Second)))
	}
	return all
}
