// Package informertest is the conformance suite of lab 17. A subject is an informer over
// a kit.ListerWatcher that the suite plays: what it lists, and what its watches bring. A
// solution gets a plain queue, cache and reflector from the suite beside that. client-go's
// SharedIndexInformer has its own and is put to the same cases behind an adapter, with
// utilruntime.ReallyCrash = false, for by default it lets a handler's panic go on. Four
// cases are not put to it: gives-memory-back (its ring never shrinks), remove-in-the-pause
// (it sleeps for its second), stops-in-order and the-indexer-may-refuse (which need the
// reflector and the cache of the suite).
//
// Rules without a case of their own: the ring of rule 8 is one way to build a buffer; its
// order, its growth and its cleared slots are seen in stuck-handler-delays-nobody and
// gives-memory-back. What becomes of the later deltas of an object that the Indexer
// has refused is left open, and no case looks at it. Two Runs at one moment are not raced
// against each other: client-go itself fails there, and a second Run in the middle of the
// first says the same. The contract leaves open, and no case looks at: syncs that do not
// come from a Resync, the time between the end of ctx and the return of Run, whether a
// handler that panicked in an initial OnAdd syncs, and when, whether a registration refers to its
// handler when that was removed, whether the second after a panic begins before OnPanic, how
// large a buffer is while the last call that was pending is under way, what a removed handler's buffer
// holds during its last call, a Reflect that returns before the end of ctx or is not called after it, a
// shouldResync that is called again while a resync is under way, or though the check period is 0, a
// registration that cannot be compared, an Indexer that returns kit.ErrFIFOClosed, whether WaitForCacheSync
// sees what syncs right before the end of its ctx.
//
// Upstream bugs without a fault: kubernetes#136509 and #137282 need a processor that
// starts after the queue does, which this informer has not got. That intermediate states
// are lost is by design.
//
// What it can miss: an order of locks that fails only on schedules which 16 copies never meet; a HasSynced
// that is true for an instant too early; a slow informer; a buffer that loses what comes, or makes the Queue
// wait, when more than 11,000 are pending; one whose room for more than 1024, at first or after a burst,
// comes to no more bytes than a right one may take (the contract counts notifications and the case sees
// bytes); a buffer of pointers that stays large until something is added, which weighs too little here; a
// handler that is added between two locked parts of Run, because a case cannot see that moment.
package informertest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	namesake "github.com/controllerbook/controllerbook/checker/internal/conform/namesake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Informer is a subject's informer of pods.
type Informer = kit.SharedInformer[*kit.Pod]

// Node is a second type of objects, for factories. The name of its type in its package, kit.Pod, is
// that of the first: events of v1 and of events.k8s.io/v1 are both called v1.Event.
type Node = namesake.Pod

// Factory is a subject's Factory; Pods and Nodes are its InformerFor.
type Factory interface {
	Pods(newInformer func(resyncPeriod time.Duration) kit.SharedInformer[*kit.Pod]) kit.SharedInformer[*kit.Pod]
	Nodes(newInformer func(resyncPeriod time.Duration) kit.SharedInformer[*Node]) kit.SharedInformer[*Node]
	Start(ctx context.Context)
	WaitForCacheSync(ctx context.Context) bool
	Shutdown()
}

// Subject is lab 17 as the suite sees it.
type Subject struct {
	New        func(parts *Parts) Informer
	NewFactory func(defaultResync time.Duration) Factory
	ErrStopped error // nil for a subject whose error has no name
}

// Lab describes lab 17 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:     "17-informer",
		Title:   "The shared informer",
		Builds:  "one cache that follows the API server, and many handlers that hear of every change of it",
		Files:   []string{"informer.go", "listener.go", "factory.go"},
		Imports: []string{"runtime/debug.Stack", "time"},
		Cases:   conform.Describe(Cases()),
	}
}

// Cases are the claims. They are exported for the module that puts the real
// client-go to them.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }

// client calls the subject and writes every call down as one actor of the history.
type client struct {
	a *conform.Actor
	i Informer
}

// informer makes an informer over a cluster.
func informer(t *conform.T, s Subject, c *cluster) client {
	return assemble(t, s, newParts(c))
}

func assemble(t *conform.T, s Subject, p *Parts) client {
	var i Informer
	if p.a == nil { // or they are quiet
		p.shown(t)
	}
	t.Do(func() { i = s.New(p) }, "New(…, resync period %v)", p.Resync)
	return client{t.Actor, i}
}

// as is the same informer in the hands of another goroutine.
func (c client) as(a *conform.Actor) client {
	c.a = a
	return c
}

// add adds a handler that has no reason to be refused.
func (c client) add(t *conform.T, h named) kit.Registration {
	r, err := c.try(h)
	t.Require(err == nil, "AddEventHandler returned the error %q for %s, and the informer has not stopped.", err, h)
	t.Require(r != nil, "AddEventHandler returned neither a registration nor an error for %s.", h)
	return r
}

// addUnseen is add without a trace in the history, where many handlers would fill it or a record of them would weigh too much.
func (c client) addUnseen(t *conform.T, h kit.ResourceEventHandler[*kit.Pod], when string) {
	_, err := c.i.AddEventHandler(h)
	t.Require(err == nil, "AddEventHandler returned “%s” %s.", conform.Said(err), when)
}

func (c client) try(h named) (kit.Registration, error) {
	call := c.a.Call("AddEventHandler(%s)", h)
	r, err := c.i.AddEventHandler(h)
	call.Returned("%v", err)
	return r, err
}

// every adds a handler with a resync period of its own.
func (c client) every(t *conform.T, h *recorder, period time.Duration) kit.Registration {
	call := c.a.Call("AddEventHandlerWithResyncPeriod(%s, %v)", h, period)
	r, err := c.i.AddEventHandlerWithResyncPeriod(h, period)
	call.Returned("%v", err)
	t.Require(err == nil, "AddEventHandlerWithResyncPeriod returned the error %q for %s, and the informer has not stopped.", err, h)
	return r
}

func (c client) remove(r kit.Registration, name string) error {
	return conform.Do(c.a, func() error { return c.i.RemoveEventHandler(r) }, "RemoveEventHandler(%s)", name)
}

// removes removes a handler, which must be no error. The sentence says when.
func (c client) removes(t *conform.T, r kit.Registration, name, sentence string) {
	if err := c.remove(r, name); err != nil {
		t.Fatalf("%s, and RemoveEventHandler returned %q. nil was due.", sentence, err)
	}
}

func (c client) hasSynced() bool { return conform.Do(c.a, c.i.HasSynced, "HasSynced()") }
func (c client) isStopped() bool { return conform.Do(c.a, c.i.IsStopped, "IsStopped()") }

// synced asks a registration.
func (c client) synced(r kit.Registration, name string) bool {
	return conform.Do(c.a, r.HasSynced, "%s's HasSynced()", name)
}

// stored is what stands in the Indexer, sorted.
func (c client) stored() []string {
	return conform.Do(c.a, func() []string { return showAll(c.i.GetIndexer().List()) }, "GetIndexer().List()")
}

// holds requires of the Indexer exactly these objects.
func (c client) holds(t *conform.T, sentence string, want ...string) {
	if got := c.stored(); !slices.Equal(got, want) {
		t.Fatalf("%s. The Indexer holds %s, and the cluster has %s.", sentence, list(got), list(want))
	}
}

// process is a Run of the subject.
type process struct {
	cancel func()
	done   chan struct{}
}

// run starts Run. The caller defers cancel, and calls end where the case ends well.
func (c client) run(t *conform.T) process {
	ctx, cancel := t.WithCancel(t.Context(), "Run's ctx")
	p := process{cancel: cancel, done: make(chan struct{})}
	t.Go("run", func(a *conform.Actor) {
		defer close(p.done)
		a.Do(func() { c.i.Run(ctx) }, "Run(ctx)")
	})
	return p
}

// end cancels the ctx of Run and waits until Run has returned.
func (p process) end() {
	p.cancel()
	<-p.done
}

// named is a handler with a name that the history shows.
type named interface {
	kit.ResourceEventHandler[*kit.Pod]
	fmt.Stringer
}

// recorder is a handler that writes down what it hears, and when.
type recorder struct {
	name string
	a    *conform.Actor
	now  func() time.Duration
	do   func(line string) // called with each line, if not nil, as a part of the call

	mu     sync.Mutex // guards the fields below
	heard  []string
	at     []time.Duration
	before int // how much was heard before heard
	beat   beat
}

func handler(t *conform.T, name string) *recorder {
	return &recorder{name: name, a: t.Named("handler %s", name), now: t.Elapsed}
}

// doing makes a handler do something whenever it is called.
func (r *recorder) doing(do func(line string)) *recorder {
	r.do = do
	return r
}

func (r *recorder) String() string { return r.name }

func (r *recorder) OnAdd(p *kit.Pod, isInInitialList bool) {
	if isInInitialList {
		r.hear("add %s initial", show(p))
	} else {
		r.hear("add %s", show(p))
	}
}

func (r *recorder) OnUpdate(old, p *kit.Pod) { r.hear("update %s→%s", show(old), show(p)) }

func (r *recorder) OnDelete(p *kit.Pod, finalStateUnknown bool) {
	if finalStateUnknown {
		r.hear("delete %s (final state unknown)", show(p))
	} else {
		r.hear("delete %s", show(p))
	}
}

func (r *recorder) hear(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	call, end := r.a.Callback("%s", line), "panics"
	defer func() { call.Returned("%s", end) }()
	r.mu.Lock()
	now := r.now()
	r.heard, r.at = append(r.heard, line), append(r.at, now)
	if strings.HasPrefix(line, "update") {
		r.beat.comes(r.a, now)
	}
	r.mu.Unlock()
	if r.do != nil {
		r.do(line)
	}
	end = ""
}

// take is what the handler has heard since the last take.
func (r *recorder) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	heard := r.heard
	r.before += len(heard)
	r.heard, r.at = nil, nil
	return heard
}

// times is when each of the calls since the last take came.
func (r *recorder) times() []time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.at)
}

// hears requires that the handler has heard exactly this since the last time. The sentence
// says which rule anything else breaks.
func (r *recorder) hears(t *conform.T, sentence string, want ...string) {
	first := r.before + 1
	heard := r.take()
	for n := range max(len(want), len(heard)) {
		call := fmt.Sprintf("Call %d of the handler %q", first+n, r.name)
		switch {
		case n >= len(heard):
			t.Fatalf("%s %s, %q, was due and did not come.", sentence, call, want[n])
		case n >= len(want):
			t.Fatalf("%s %s, %q, was not due.", sentence, call, heard[n])
		case heard[n] != want[n]:
			t.Fatalf("%s %s was %q, and %q was due.", sentence, call, heard[n], want[n])
		}
	}
}

// hearsAnyOrder is hears where objects have no order among each other.
func (r *recorder) hearsAnyOrder(t *conform.T, sentence string, want ...string) {
	r.sameHeard(t, r.take(), sentence, want...)
}

// sameHeard requires of what a handler has heard the same calls, in any order.
func (r *recorder) sameHeard(t *conform.T, heard []string, sentence string, want ...string) {
	extra, missing := conform.Without(heard, want), conform.Without(want, heard)
	switch {
	case len(missing) > 0 && len(extra) > 0:
		t.Fatalf("%s The handler %q did not hear: %s. It heard instead: %s.", sentence, r.name, list(missing), list(extra))
	case len(missing) > 0:
		t.Fatalf("%s The handler %q did not hear: %s.", sentence, r.name, list(missing))
	case len(extra) > 0:
		t.Fatalf("%s The handler %q heard more than was due: %s.", sentence, r.name, list(extra))
	}
}

// list is some things in a sentence.
func list(all []string) string {
	if len(all) == 0 {
		return "nothing"
	}
	return strings.Join(all, ", ")
}

// about reports whether a line is about the pod of that name.
func about(line, name string) bool { return strings.Contains(line, " "+name+"@") }
