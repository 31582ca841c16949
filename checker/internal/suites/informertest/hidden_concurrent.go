package informertest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// concurrent is the part of the suite in which everything happens at once.
var concurrent = []conform.Case[Subject]{
	{
		Name:   "late-handler-in-a-storm",
		Points: 5,
		Func:   "SharedInformer.AddEventHandler",
		Look:   []string{"SharedInformer.AddEventHandlerWithResyncPeriod", "what SharedInformer.Run does with the deltas of a key"},
		Rule:   "A handler that is added while objects change hears of each object exactly once: from the Indexer, or as it happens, never both and never neither.",
		Why:    "If a handler misses an object at the start, nothing wakes the controller for that object later.",
		Hint: []string{
			"A change comes after you have read the Indexer and before the handler has joined. How does the handler hear of it?",
			"The other way round: the handler has joined and hears of the change, and then you read the Indexer for it. How often has it heard of the change?",
			"Hold one lock around both steps, and the same lock around both steps of a change: write to the Indexer, notify the handlers.",
		},
		Source: "client-go tools/cache/shared_informer.go: sharedIndexInformer.blockDeltas",
		Contract: []string{
			"once for each object that is in the Indexer at one moment during the call, and of every change after that moment",
			"hears everything exactly once",
		},
		Mode:  conform.Copies,
		Check: lateHandlerInAStorm,
	},
	{
		Name:   "everybody-hears-one-story",
		Long:   true,
		Points: 4,
		Func:   "SharedInformer.Run",
		Rule:   "While objects come, change and go, and handlers join and leave, each handler hears a consistent sequence, and all handlers end with the same objects.",
		Why:    "A handler keeps state of its own: it counts up at an addition and down at the deletion.",
		Hint: []string{
			"Which of your fields do two goroutines use? Name the lock that guards each.",
			"The old object of an update is what the handler heard last. Read it under the lock under which you write the new one.",
		},
		Source: "The Go Memory Model",
		Contract: []string{
			"Each handler is called by one goroutine at a time and hears everything exactly once, in the order in which the Indexer changed, until it is removed or the informer stops.",
			"with the object that was stored before and the delta's object",
		},
		Check: everybodyHearsOneStory,
	},
	{
		Name:   "stop-in-a-storm",
		Long:   true,
		Points: 4,
		Func:   "SharedInformer.Run",
		Rule:   "Run can be ended at any moment, while objects change and handlers join and leave. Nothing panics, no handler is called afterwards, no goroutine is left.",
		Why:    "Every controller ends like that: a signal comes while everything is at work.",
		Hint: []string{
			"A handler is added at the very moment when Run stops all handlers. What stops that one?",
			"AddEventHandler reads the flag and starts the goroutine under the lock under which Run sets the flag.",
		},
		Source: "client-go tools/cache/shared_informer.go: sharedIndexInformer.RunWithContext",
		Contract: []string{
			"All methods may be called from any goroutine.",
			"When Run has returned, no handler is called and no goroutine is left.",
			"Between the end of ctx and that moment either may happen; if the handler is added, its ShutdownChan is closed when Run returns.",
			"Removing a handler twice, or after the informer has stopped, does nothing and is no error.",
		},
		Mode:  conform.Copies,
		Check: stopInAStorm,
	},
}

func lateHandlerInAStorm(t *conform.T, open func() Subject) {
	c := newCluster("a")
	p := newParts(c)
	// told counts what an early handler has heard: when it has heard of a change, the
	// Indexer and all handlers there were have too.
	var told atomic.Int32
	between := &changes{c: c, a: t.Named("cluster")}
	p.cache.around = func() {
		before := told.Load()
		if !between.one() {
			return
		}
		for n := 0; n < 2000 && told.Load() == before; n++ {
			runtime.Gosched() // a correct informer lets nothing happen now; another has the time
		}
	}
	i := assemble(t, open(), p)
	first := make(chan struct{})
	i.add(t, handler(t, "early").doing(func(string) {
		if told.Add(1) == 1 {
			close(first)
		}
	}))
	run := i.run(t)
	defer run.cancel()
	<-first
	end := make(chan struct{})
	late := handler(t, "late")
	late.doing(func(line string) {
		late.marksDoubles(line)
		if about(line, "end") {
			close(end)
		}
	})
	between.happen(true)
	i.add(t, late)
	between.happen(false)
	i.hasSynced() // a call that waits for a lock of another goroutine would show here
	c.put(t.Actor, "end")
	<-end
	run.end()
	eachOnce(t, late.take(), append(between.names, "a", "end")...)
}

// changes happen while a handler joins, and at no other time: an informer may look at its Indexer whenever
// it likes.
type changes struct {
	c *cluster
	a *conform.Actor

	mu    sync.Mutex // guards the fields below
	on    bool
	names []string
}

func (c *changes) happen(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.on = on
}

// one makes a change, and reports false when none happens.
func (c *changes) one() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.on || len(c.names) == 4 {
		return false
	}
	c.names = append(c.names, fmt.Sprintf("change-%d", len(c.names)+1))
	c.c.put(c.a, c.names[len(c.names)-1])
	return true
}

// marksDoubles marks a call that says what an earlier one has said.
func (r *recorder) marksDoubles(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	pod := strings.TrimSuffix(line, " initial")
	for _, earlier := range r.heard[:len(r.heard)-1] {
		if strings.TrimSuffix(earlier, " initial") == pod {
			r.a.Breaks("The handler hears %q, and has heard %q before.", line, earlier)
		}
	}
}

// eachOnce requires a handler that joined late to have heard of each object once.
func eachOnce(t *conform.T, heard []string, objects ...string) {
	times := map[string]int{}
	for _, line := range heard {
		var name string
		_, _ = fmt.Sscanf(line, "add %s", &name)
		times[name]++
		t.Require(times[name] == 1, "A handler was added while objects were added, and heard of %s more than once: from the Indexer, and as it happened. It heard: %s.", name, list(heard))
	}
	for _, name := range objects {
		known := slices.ContainsFunc(heard, func(line string) bool { return about(line, name) })
		t.Require(known, "A handler was added while objects were added, and heard nothing of %s, neither from the Indexer nor as it happened. It heard: %s.", name, list(heard))
	}
}

func everybodyHearsOneStory(t *conform.T, open func() Subject) {
	nothingIsLeftLying(t, open())
	t.Copies(func(t *conform.T) {
		c := newCluster("a", "b")
		i := informer(t, open(), c)
		all := []*story{newStory(t, "early 0"), newStory(t, "early 1")}
		for _, h := range all {
			i.add(t, h)
		}
		run := i.run(t)
		defer run.cancel()
		ended := make(chan struct{})
		seed := t.Seed()
		t.Go("cluster", func(a *conform.Actor) {
			defer close(ended)
			c.storm(a, seed, 100)
		})
		quitter := newStory(t, "quitter")
		for n := range 4 {
			h := newStory(t, fmt.Sprintf("late %d", n))
			all = append(all, h)
			i.add(t, h)
			r := i.add(t, quitter)
			i.removes(t, r, "quitter", "A handler was removed during Run")
			<-r.ShutdownChan()
			quitter.known = map[string]string{}
		}
		<-ended
		c.put(t.Actor, "end")
		for _, h := range all {
			<-h.end
		}
		run.end()
		for _, h := range append(all, quitter) {
			h.fits(t)
		}
		for _, h := range all {
			t.Require(slices.Equal(c.state(), h.state()), "By what it heard the handler %q knows of %s. In the cluster there is %s.", h, list(h.state()), list(c.state()))
		}
		i.holds(t, "Every handler has heard of the last change", c.state()...)
	})
}

// nothingIsLeftLying has one change at a time, and waits until all handlers have heard of
// it. An informer that wakes a handler's goroutine a moment too early leaves a notification lying.
func nothingIsLeftLying(t *conform.T, s Subject) {
	const handlers, rounds = 8, 2000
	f := &faucet{out: make(chan kit.Event[*kit.Pod])}
	i := assemble(t, s, newParts(f))
	heard := make(chan struct{}, handlers)
	for range handlers {
		i.add(t, bell{heard})
	}
	run := i.run(t)
	defer run.cancel()
	call := t.Call("%d changes, each after all handlers have heard of the one before", rounds)
	for n := range rounds {
		for range handlers {
			<-heard
		}
		f.out <- kit.Event[*kit.Pod]{Type: kit.Modified, Object: pod("a", n+2)}
	}
	for range handlers {
		<-heard
	}
	call.Returned("")
	run.end()
}

// bell is a handler that says only that it was called.
type bell struct{ rung chan<- struct{} }

func (b bell) String() string              { return "bell" }
func (b bell) OnAdd(*kit.Pod, bool)        { b.rung <- struct{}{} }
func (b bell) OnUpdate(*kit.Pod, *kit.Pod) { b.rung <- struct{}{} }
func (b bell) OnDelete(*kit.Pod, bool)     { b.rung <- struct{}{} }

func stopInAStorm(t *conform.T, open func() Subject) {
	c := newCluster("a", "b")
	i := informer(t, open(), c)
	early := newStory(t, "early")
	i.add(t, early)
	stop, cancel := context.WithCancel(t.Context())
	defer cancel()
	bothRemove(t, i, 100, "before Run")
	run := i.run(t)
	defer run.cancel()
	bothRemove(t, i, 10, "during Run")
	seed := t.Seed()
	t.Go("cluster", func(a *conform.Actor) {
		for n := uint64(0); n < 100 && stop.Err() == nil; n++ {
			c.storm(a, seed+n, 10)
			runtime.Gosched()
		}
	})
	t.Go("asking", func(*conform.Actor) { asksWhileItStops(i.i) })
	var late []*story
	t.Go("joining", func(a *conform.Actor) {
		late = joinUntilRefused(t, a, i, run)
	})
	for range t.Rand().IntN(200) {
		runtime.Gosched()
	}
	run.end()
	i.isStopped()
	early.fits(t)
	cancel()
	t.Join()
	for _, h := range late {
		h.fits(t)
	}
}

// bothRemove has two goroutines remove the same handlers at the same time. The informer alone orders them.
func bothRemove(t *conform.T, i client, handlers int, when string) {
	all := make([]kit.Registration, handlers)
	for n := range all {
		r, err := i.i.AddEventHandler(kit.ResourceEventHandlerFuncs[*kit.Pod]{})
		t.Require(err == nil, "AddEventHandler returned the error %q %s.", err, when)
		all[n] = r
	}
	call := t.Call("two goroutines call RemoveEventHandler for each of %d handlers, %s", handlers, when)
	var both sync.WaitGroup
	var errs [2]error
	for k := range errs {
		both.Go(func() {
			for _, r := range all {
				errs[k] = errors.Join(errs[k], i.i.RemoveEventHandler(r))
			}
		})
	}
	both.Wait()
	call.Returned("")
	err := errors.Join(errs[:]...)
	t.Require(err == nil, "Two goroutines removed the same handlers at the same time, %s, and RemoveEventHandler returned %q. Removing a handler twice is no error.", when, err)
	for _, r := range all {
		<-r.ShutdownChan()
	}
}

// joinUntilRefused adds up to 200 handlers, until one is refused. Only the first ten stay.
func joinUntilRefused(t *conform.T, a *conform.Actor, i client, run process) (late []*story) {
	for n := range 200 {
		h := newStory(t, fmt.Sprintf("late %d", n))
		r, err := i.as(a).try(h)
		if err != nil {
			return late
		}
		late = append(late, h)
		if n >= 10 {
			err = i.as(a).remove(r, h.name)
			t.Assert(err == nil, "A handler was removed during Run or after it, and RemoveEventHandler returned %q. nil was due.", err)
			select {
			case <-r.ShutdownChan():
			case <-run.done: // and so it is closed
				t.Assert(probe.Closed(r.ShutdownChan()), "A handler was added and removed while Run was about to end. Run has returned, and the handler's ShutdownChan is not closed.")
			}
		}
	}
	return late
}

// storm makes n changes to a handful of pods.
func (c *cluster) storm(a *conform.Actor, seed uint64, n int) {
	rng := rand.New(rand.NewPCG(seed, 17))
	for range n {
		name := string(rune('a' + rng.IntN(5)))
		if rng.IntN(3) == 0 && c.has(name) {
			c.delete(a, name)
		} else {
			c.put(a, name)
		}
	}
}

func (c *cluster) has(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pods[name] != nil
}

// story is a handler that checks whether what it hears fits together. It has no lock:
// the contract promises that one goroutine at a time calls it, and that none does when
// Run has returned. The race detector holds a subject to that promise.
type story struct {
	name  string
	a     *conform.Actor
	known map[string]string // name → the version it heard of last
	wrong []string
	end   chan struct{} // closed when it hears of a pod "end"
}

var _ kit.ResourceEventHandler[*kit.Pod] = (*story)(nil)

func newStory(t *conform.T, name string) *story {
	return &story{name: name, a: t.Named("%s", name), known: map[string]string{}, end: make(chan struct{})}
}

func (s *story) String() string { return s.name }

// fits requires that what the handler heard fits together.
func (s *story) fits(t *conform.T) {
	if len(s.wrong) > 0 {
		t.Fatalf("What the handler %q heard does not fit together: %s. Each change has to be heard once and in order, with the object that was stored before.", s, s.wrong[0])
	}
}

// misfit notes and marks what does not fit.
func (s *story) misfit(format string, args ...any) {
	s.wrong = append(s.wrong, fmt.Sprintf(format, args...))
	if len(s.wrong) == 1 {
		s.a.Breaks("%s", s.wrong[0])
	}
}

func (s *story) OnAdd(p *kit.Pod, _ bool) {
	defer s.a.Callback("add %s", show(p)).Returned("")
	if had, ok := s.known[p.Name]; ok {
		s.misfit("it heard that %s was added, and knew the object already, as %s@%s", show(p), p.Name, had)
	}
	s.known[p.Name] = p.ResourceVersion
	if p.Name == "end" {
		close(s.end)
	}
}

func (s *story) OnUpdate(old, p *kit.Pod) {
	defer s.a.Callback("update %s→%s", show(old), show(p)).Returned("")
	if had, ok := s.known[p.Name]; !ok {
		s.misfit("it heard that %s became %s, and knew no %s", show(old), show(p), p.Name)
	} else if had != old.ResourceVersion {
		s.misfit("it heard that %s became %s, and knew it as %s@%s", show(old), show(p), p.Name, had)
	}
	s.known[p.Name] = p.ResourceVersion
}

func (s *story) OnDelete(p *kit.Pod, _ bool) {
	defer s.a.Callback("delete %s", show(p)).Returned("")
	if _, ok := s.known[p.Name]; !ok {
		s.misfit("it heard that %s was deleted, and knew no %s", show(p), p.Name)
	}
	delete(s.known, p.Name)
}

// state is what the handler knows of, sorted.
func (s *story) state() []string {
	var pods []*kit.Pod
	for name, version := range s.known {
		p := pod(name, 0)
		p.ResourceVersion = version
		pods = append(pods, p)
	}
	return showAll(pods)
}
