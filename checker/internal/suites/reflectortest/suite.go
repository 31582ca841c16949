// Package reflectortest is the conformance suite of lab 16. The subject is a
// constructor. Both of its neighbours are the suite's own: a server that records
// every request and answers by script, and a store that records what the subject
// brings to it. Nothing here is asserted that client-go v0.37.2's Reflector, with
// the feature WatchListClient off, does not hold; only the case errors-are-told does
// not apply to it, because only the informer sets its error handler.
//
// Left open, because client-go and the plain way differ or a learner may choose:
// what becomes of the version at an event of an unknown type; whether the waits
// start over after two minutes without failures, from the beginning or the end of a wait, or every
// two minutes; a Resync whose ShouldResync was under way when the watches ended; what
// ListAndWatch returns when a watch that was granted has failed (client-go says nil
// and writes a log); a few events that have arrived and are not yet consumed when ctx is
// done, and one more request or Resync then; how long a Resync that failed is not noticed
// while no watch is open; whether a list whose Replace failed has succeeded; whether the end of a
// ResultChan is waited for when ctx is done. Objects of a wrong type (client-go skips them) cannot come up here: a
// kit.Event has the type of the store. An event of an unknown type stands in.
//
// Upstream bugs that are no faults here: kubernetes#140890 belongs to the watch list,
// which this lab does not build; #38670, #25331 and #108080 are of the watcher
// itself, which lab 08 builds, and only its reader's part, to stop it, is judged here.
//
// What it can miss: a version that is published before the store has it, in a
// method that this store never sees slow; a goroutine that ends a moment
// after ListAndWatch has returned, such as that of a List whose context is done, which
// client-go leaves, too; a Resync that is waited for, but not for ever; a watch's error that is
// lost because a Resync took seconds meanwhile (the clock of a bubble stands still for a program
// that waits for it with a mutex); a MinWatchTimeout of centuries, twice which is no time.Duration;
// a lock that is held while a method of an object is called; what is written into the room behind a list that
// the store has got.
package reflectortest

import (
	"context"
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Reflector is lab 16 as the suite sees it.
type Reflector interface {
	Run(ctx context.Context)
	ListAndWatch(ctx context.Context) error
	LastSyncResourceVersion() string
}

// Options are the subject's, field by field.
type Options struct {
	ResyncPeriod    time.Duration
	ShouldResync    func() bool
	Backoff         kit.Backoff
	MinWatchTimeout time.Duration
	OnError         func(err error)
}

// Subject makes a reflector.
type Subject = func(lw kit.ListerWatcher[*kit.Pod], store kit.DeltaStore[*kit.Pod], options Options) Reflector

// Lab describes lab 16 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:     "16-reflector",
		Title:   "The reflector",
		Builds:  "list, watch, and never lose the thread",
		Files:   []string{"reflector.go", "watch.go", "backoff.go"},
		Imports: []string{"time"},
		Cases:   conform.Describe(Cases()),
	}
}

// Cases are the claims. They are exported for the module that puts the real
// client-go to them.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }

// exact is a backoff without jitter: 1 s, 2 s, 4 s and so on, so that moments can
// be named.
func exact() kit.Backoff {
	return kit.Backoff{Duration: time.Second, Factor: 2, Steps: 20, Cap: 30 * time.Second}
}

// running is a reflector that runs, with its server and its store.
type running struct {
	t      *conform.T
	r      Reflector
	server *server
	store  *store
	cancel context.CancelFunc
	ended  <-chan struct{} // closed when Run has returned
}

// run starts a reflector over s and a store with the given scripts. The caller ends
// it with stop.
func run(t *conform.T, subject Subject, s *server, o Options, scripts ...func(st *store)) *running {
	st := newStore(t)
	for _, script := range scripts {
		script(st)
	}
	ctx, cancel := context.WithCancel(t.Context())
	return begun(t, subject, s, st, o, ctx, cancel)
}

// runFor is run with a context that has a deadline.
func runFor(t *conform.T, subject Subject, s *server, limit time.Duration, o Options) *running {
	ctx, cancel := t.Actor.WithTimeout(t.Context(), limit, "Run's context")
	return begun(t, subject, s, newStore(t), o, ctx, cancel)
}

// begun starts a reflector over s and st, whose Run has ctx.
func begun(t *conform.T, subject Subject, s *server, st *store, o Options, ctx context.Context, cancel context.CancelFunc) *running {
	r := newReflector(t, subject, s, st, o)
	ended := goRunIn(t, r, ctx)
	t.Wait()
	return &running{t: t, r: r, server: s, store: st, cancel: cancel, ended: ended}
}

// start makes a reflector and has an actor run it. ended is closed when Run has returned.
func start(t *conform.T, subject Subject, lw kit.ListerWatcher[*kit.Pod], st *store, o Options) (r Reflector, ended <-chan struct{}, cancel context.CancelFunc) {
	r = newReflector(t, subject, lw, st, o)
	ended, cancel = goRun(t, r)
	return r, ended, cancel
}

// newReflector makes a reflector, whose version the store looks at.
func newReflector(t *conform.T, subject Subject, lw kit.ListerWatcher[*kit.Pod], st *store, o Options) (r Reflector) {
	t.Do(func() { r = subject(lw, st, o) }, "New(server, store, %s)", o)
	st.version = r.LastSyncResourceVersion
	return r
}

// goRun has an actor run a reflector. ended is closed when Run has returned.
func goRun(t *conform.T, r Reflector) (ended <-chan struct{}, cancel context.CancelFunc) {
	ctx, cancel := context.WithCancel(t.Context())
	return goRunIn(t, r, ctx), cancel
}

// goRunIn is goRun with a ctx of the case.
func goRunIn(t *conform.T, r Reflector, ctx context.Context) (ended <-chan struct{}) {
	returned := make(chan struct{})
	t.Go("reflector", func(a *conform.Actor) {
		defer close(returned)
		a.Do(func() { r.Run(ctx) }, "Run(ctx)")
	})
	return returned
}

// again cancels Run's context, demands that Run returns, and calls it again with another one.
func (x *running) again() {
	x.cancelNow()
	x.t.Wait()
	x.t.Require(probe.Closed(x.ended), "Run's context was cancelled after %v, and Run did not return at that moment.", x.t.Elapsed())
	x.ended, x.cancel = goRun(x.t, x.r)
	x.t.Wait()
}

// version is LastSyncResourceVersion, written down.
func (x *running) version() string {
	call := x.t.Call("LastSyncResourceVersion()")
	v := x.r.LastSyncResourceVersion()
	call.Returned("%q", v)
	return v
}

// isAt requires a LastSyncResourceVersion. The sentence says what has happened before.
func (x *running) isAt(want, sentence string) {
	if got := x.version(); got != want {
		x.t.Fatalf("%s, and LastSyncResourceVersion returned %q. %q was due.", sentence, got, want)
	}
}

// stop cancels Run's context, demands that it returns at that very moment, and
// that nothing is left of it.
func (x *running) stop() {
	x.cancelNow()
	x.hasReturned(fmt.Sprintf("Run's context was cancelled after %v", x.t.Elapsed()))
}

// hasReturned demands that Run has returned by now, and that nothing is left of it. The sentence
// says why it should have.
func (x *running) hasReturned(sentence string) {
	x.t.Wait()
	x.t.Require(probe.Closed(x.ended), "%s, and Run did not return at that moment. %s", sentence, x.server.underWay())
	x.server.quiet()
	asked, returned := len(x.server.log()), x.t.Elapsed()
	time.Sleep(3 * time.Minute)
	if log := x.server.log(); len(log) > asked {
		x.t.Fatalf("Run had returned, and %v later the server was asked for %s.", log[asked].At-returned, log[asked].What)
	}
	x.server.requireStopped()
}

func (x *running) cancelNow() {
	x.t.Note("cancel Run's context")
	x.cancel()
}

// String is what a history shows of the options.
func (o Options) String() string {
	s := "Options{"
	if o.ResyncPeriod != 0 {
		s += " ResyncPeriod: " + o.ResyncPeriod.String()
	}
	if o.ShouldResync != nil {
		s += " ShouldResync"
	}
	if o.Backoff != (kit.Backoff{}) {
		s += " Backoff: " + o.Backoff.Duration.String() + "…"
	}
	if o.MinWatchTimeout != 0 {
		s += " MinWatchTimeout: " + o.MinWatchTimeout.String()
	}
	return s + " }"
}
