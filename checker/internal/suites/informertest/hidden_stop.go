package informertest

import (
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// ending is the part of the suite about how an informer ends.
var ending = []conform.Case[Subject]{
	{
		Name:   "run-joins-everything",
		Points: 4,
		Func:   "SharedInformer.Run",
		Look:   []string{"SharedInformer.Run", "SharedInformer.AddEventHandlerWithResyncPeriod"},
		Rule:   "Run returns when every call that was under way has returned, also that of a removed handler. After that no handler is called and no goroutine is left.",
		Why:    "A main function closes its clients after Run. A handler that still works then uses closed clients.",
		Hint: []string{
			"How many goroutines have you started? Which of them does Run wait for?",
			"Count the handlers' goroutines with a sync.WaitGroup, and call Wait at the end of Run.",
			"A removed handler is in no list. Run still has to wait for its goroutine.",
		},
		Source: "kubernetes#45454, Run did not wait for the listeners",
		Contract: []string{
			"A call that is under way may take its time: Run waits for it. When Run has returned, no handler is called and no goroutine is left.",
			"IsStopped is false before Run and until its ctx is done, and true when Run has returned.",
			"Only after that it stops the handlers and drops pending notifications.",
			"Before Run the informer has no goroutine: neither New nor AddEventHandler starts one.",
			"Every ShutdownChan is closed by then.",
			"Handlers do not wait for each other",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := newCluster("a", "b", "c", "d", "e")
			i := informer(t, open(), c)
			busy, removed := make(chan struct{}), make(chan struct{})
			x := handler(t, "busy").doing(func(string) { <-busy })
			y := handler(t, "removed").doing(func(string) { <-removed })
			i.add(t, x)
			r := i.add(t, y)
			run := i.run(t)
			defer run.cancel()
			t.Wait()
			i.removes(t, r, "removed", "A handler was removed during Run")
			t.Require(!i.isStopped(), "The informer says that it has stopped, and the ctx of Run is not done.")
			run.cancel()
			time.Sleep(time.Minute)
			t.Require(!probe.Closed(run.done), "Run's ctx was cancelled while two handlers were in a call, one of them removed, and Run returned within a minute. It has to wait for both calls.")
			close(busy)
			time.Sleep(time.Minute)
			t.Require(!probe.Closed(run.done), "Run returned while a handler that had been removed was still in a call. It has to wait for that call, too.")
			close(removed)
			time.Sleep(time.Minute)
			t.Require(probe.Closed(run.done), "The ctx of Run was cancelled and every call has returned, and Run has not.")
			t.Require(i.isStopped(), "Run has returned, and the informer says that it has not stopped.")
			for _, h := range []*recorder{x, y} {
				calls := len(h.take())
				t.Require(calls <= 2, "The handler %q was in its first call when it was stopped, with 4 pending, and was called %d times more. Pending notifications are dropped.", h, calls-1)
			}
			c.put(t.Actor, "a")
			time.Sleep(time.Minute)
			x.hears(t, "Run has returned, and after that no handler is called.")
			y.hears(t, "Run has returned, and after that no handler is called.")
			lateIsWaitedFor(t, open(), false)
			lateIsWaitedFor(t, open(), true)
			for during := range 4 {
				allStopAtOnce(t, open(), during+1)
			}
			endsInItsFirstList(t, open(), 1)
			neverRun(t, open())
		},
	},
	{
		Name:   "stops-in-order",
		Points: 4,
		Func:   "SharedInformer.Run",
		Rule:   "Run waits for Reflect. It stops the handlers after Reflect has returned and the last Pop has ended, and holds no lock while it waits for them.",
		Why:    "A notification for a handler whose channel is closed panics, at the end of one shutdown in a thousand.",
		Hint: []string{
			"ctx is done, and Reflect is just putting one last event into the Queue. Which goroutine takes it out, and which handlers still hear of it?",
			"Wait for Reflect, close the Queue, wait for the goroutine that pops, and stop the handlers then.",
			"Run waits for a call of a handler, and that call asks the informer. Which lock does each of them hold?",
		},
		Source: "client-go tools/cache/shared_informer.go: sharedIndexInformer.RunWithContext (the processor stops strictly after the controller)",
		Contract: []string{
			"waits until Reflect has returned and the last Pop has ended. Only after that it stops the handlers",
			"A handler may call any method of the informer but Run.",
			"A call that is under way may take its time: Run waits for it.",
			"until ctx is done. Then it closes the Queue and waits",
			"If ctx is done before Run, the informer need not call it; Run closes the Queue all the same",
			"Every ShutdownChan is closed by then.",
			"if the handler is added, its ShutdownChan is closed when Run returns.",
			"When Run has returned, no handler is called and no goroutine is left.",
			"hears everything exactly once, in the order in which the Indexer changed, until it is removed or the informer stops",
		},
		Check: func(t *conform.T, open func() Subject) {
			callsTheInformerAtTheEnd(t, open())
			t.Virtual(func(t *conform.T) {
				reflectIsWaitedFor(t, open())
				lastPopIsWaitedFor(t, open())
				closeIsWaitedFor(t, open())
				closesWhateverComesFirst(t, open)
			})
		},
	},
	{
		Name:   "runs-once",
		Points: 3,
		Func:   "SharedInformer.Run",
		Rule:   "A second Run does nothing and returns at once, during the first as well as after it.",
		Why:    "Two controllers share an informer, and each of them starts it.",
		Hint: []string{
			"Use a flag under a lock, read and set in one step.",
			"The flag says that Run was called, not that it is running.",
		},
		Source: "client-go tools/cache/shared_informer.go: sharedIndexInformer.RunWithContext",
		Contract: []string{
			"An informer runs once. Every other call of Run, at the same time or later, does nothing and returns at once.",
			"IsStopped is false before Run and until its ctx is done, and true when Run has returned.",
			"When Run has returned, it returns ErrStopped",
			"If ctx is done before Run, the informer need not call it; Run closes the Queue all the same, and this was its one Run.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := newCluster("a")
			i := informer(t, open(), c)
			x := handler(t, "x")
			i.add(t, x)
			run := i.run(t)
			defer run.cancel()
			t.Wait()
			second := i.run(t)
			defer second.cancel()
			time.Sleep(aMoment)
			t.Require(probe.Closed(second.done), "Run was called a second time during the first, and 3s later it has not returned. It does nothing and returns at once.")
			c.put(t.Actor, "a")
			time.Sleep(aMoment)
			x.hears(t, "Run was called a second time during the first, which does nothing.", "add a@1 initial", "update a@1→a@2")
			t.Require(c.listed() == 1, "Run was called a second time during the first, and the cluster was listed %d times. Only the first Run lists it.", c.listed())
			runsWithADoneCtx(t, i, c, x)
			run.end()
			third := i.run(t)
			defer third.cancel()
			time.Sleep(aMoment)
			t.Require(probe.Closed(third.done), "Run was called after the first had returned, and 3s later it has not returned. It does nothing and returns at once.")
			t.Require(c.listed() == 1, "Run was called after the first had returned, and the cluster was listed %d times. Only the first Run lists it.", c.listed())
			x.hears(t, "Run was called after the first had returned, which does nothing.")
			t.Require(i.isStopped(), "Run was called after the first had returned, which does nothing, and then IsStopped returned false. It was true when the first Run had returned.")
			_, err := i.try(handler(t, "y"))
			t.Require(err != nil, "Run was called after the first had returned, which does nothing, and then AddEventHandler returned no error. ErrStopped was due.")
			runsAfterADoneCtx(t, open())
			runsOnceForMany(t, open())
			endsInItsFirstList(t, open(), 2)
		},
	},
	{
		Name:   "add-after-stop",
		Points: 3,
		Func:   "SharedInformer.AddEventHandler",
		Look:   []string{"SharedInformer.AddEventHandlerWithResyncPeriod"},
		Rule:   "A handler that is added after Run has returned is refused with ErrStopped and never called.",
		Why:    "The handler would wait for ever for an informer that no longer follows anything, and nobody would know.",
		Hint: []string{
			"Which goroutine would call the handler now?",
			"Let Run set a flag under the lock when it ends, and let AddEventHandler read it under the same lock.",
		},
		Source: "client-go tools/cache/shared_informer.go: sharedIndexInformer.AddEventHandlerWithOptions",
		Contract: []string{
			"When Run has returned, it returns ErrStopped, itself and not wrapped, and the handler is never called.",
			"IsStopped is false before Run and until its ctx is done, and true when Run has returned.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			i := informer(t, s, newCluster("a"))
			t.Require(!i.isStopped(), "An informer that was never run says that it has stopped.")
			run := i.run(t)
			defer run.cancel()
			t.Wait()
			run.end()
			x := handler(t, "x")
			_, err := i.try(x)
			t.Require(err != nil, "Run had returned, and AddEventHandler returned no error. ErrStopped was due.")
			t.Require(s.ErrStopped == nil || err == s.ErrStopped, "Run had returned, and AddEventHandler returned %q. ErrStopped was due, itself and not wrapped.", err)
			time.Sleep(aMoment)
			x.hears(t, "AddEventHandler has refused this handler.")
			endsAtOnce(t, open())
			askedAfterRun(t, open())
		},
	},
}

// neverRun adds a handler to an informer that is not run.
func neverRun(t *conform.T, s Subject) {
	t.Wait()
	before := t.Waiting()
	i := informer(t, s, newCluster("a"))
	i.add(t, handler(t, "never called"))
	t.Wait()
	begun := t.Waiting() - before
	t.Require(begun <= 0, "A handler was added to an informer, Run was not called, and there is a goroutine that waits. Before Run the informer has no goroutine: neither New nor AddEventHandler starts one.")
}

// allStopAtOnce has three handlers, of which the first and the last are in a call for ten minutes when ctx ends. Each
// call of the other takes a second, and nine come after the first.
func allStopAtOnce(t *conform.T, s Subject, during int) {
	const pending = 9
	c := newCluster("a")
	i := informer(t, s, c)
	long := func(string) { time.Sleep(10 * time.Minute) }
	busy := handler(t, "busy").doing(func(string) { time.Sleep(time.Second) })
	i.add(t, handler(t, "long").doing(long))
	i.add(t, busy)
	i.add(t, handler(t, "as long").doing(long))
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	for range pending {
		c.put(t.Actor, "a")
	}
	time.Sleep(time.Duration(during)*time.Second - time.Second/2)
	run.end()
	calls := len(busy.take())
	t.Require(calls <= during+1, "The handler \"busy\" was in call %d when Run's ctx was cancelled, with %d pending, and two others were in a call that took ten minutes more. It was called %d times more, and at most one more call was due: pending notifications are dropped, and handlers do not wait for each other.", during, pending+1-during, calls-during)
}

// runsWithADoneCtx calls Run with a ctx that is done, while the first Run goes on and a is at version 2.
func runsWithADoneCtx(t *conform.T, i client, c *cluster, x *recorder) {
	ctx, cancel := t.WithCancel(t.Context(), "the ctx of another Run")
	cancel()
	t.Go("run", func(a *conform.Actor) { a.Do(func() { i.i.Run(ctx) }, "Run(ctx), with a ctx that is done") })
	time.Sleep(aMoment)
	const again = "Run was called during the first, with a ctx of its own that was done, which does nothing."
	t.Require(!i.isStopped(), again+" The ctx of the first is not done, and IsStopped returned true.")
	y := handler(t, "y")
	_, err := i.try(y)
	t.Require(err == nil, again+" Then AddEventHandler returned the error %q, and the first Run has not returned.", err)
	c.put(t.Actor, "a")
	time.Sleep(aMoment)
	x.hears(t, again, "update a@2→a@3")
	y.hears(t, again+" Then this handler was added.", "add a@2 initial", "update a@2→a@3")
}

// runsAfterADoneCtx calls Run with a ctx that is done, and then with one that is not.
func runsAfterADoneCtx(t *conform.T, s Subject) {
	c := newCluster("a")
	i := informer(t, s, c)
	i.add(t, handler(t, "x"))
	ctx, cancel := t.WithCancel(t.Context(), "Run's ctx")
	cancel()
	t.Go("run", func(a *conform.Actor) { a.Do(func() { i.i.Run(ctx) }, "Run(ctx), with a ctx that is done") })
	t.Join()
	listed := c.listed()
	second := i.run(t)
	defer second.cancel()
	time.Sleep(aMoment)
	returned, again := probe.Closed(second.done), c.listed() > listed
	second.end()
	t.Require(returned && !again, "Run was called with a ctx that was done, and returned. Then Run was called with a ctx that is not done, and 3s later it had %s. An informer runs once, and the first call was its one Run: the second does nothing and returns at once.",
		map[bool]string{true: "listed the cluster", false: "not returned"}[again])
	t.Require(i.isStopped(), "Run was called with a ctx that was done, and returned, and then Run was called once more, which does nothing. IsStopped returned false.")
}

// runsOnceForMany has four goroutines call Run at the same time.
func runsOnceForMany(t *conform.T, s Subject) {
	const callers = 4
	c := newCluster("a")
	i := informer(t, s, c)
	ctx, cancel := t.WithCancel(t.Context(), "Run's ctx")
	defer cancel()
	call := t.Call("%d goroutines call Run(ctx)", callers)
	var all sync.WaitGroup
	for range callers {
		all.Go(func() { i.i.Run(ctx) })
	}
	t.Wait()
	listed := c.listed()
	cancel()
	all.Wait()
	call.Returned("")
	t.Require(listed == 1, "%d goroutines called Run at the same time, and the cluster was listed %s. One of them runs the informer, and the others do nothing.", callers, conform.Count(listed, "time"))
}

// askedAfterRun asks an informer without handlers on the line after its Run, which a deadline ends.
func askedAfterRun(t *conform.T, s Subject) {
	i := informer(t, s, newCluster("a"))
	ctx, cancel := t.WithTimeout(t.Context(), aMoment, "Run's ctx")
	defer cancel()
	stopped, refused := false, false
	t.Go("run", func(a *conform.Actor) {
		call := a.Call("Run(ctx), and on the next lines IsStopped() and AddEventHandler(x)")
		i.i.Run(ctx)
		stopped = i.i.IsStopped()
		_, err := i.i.AddEventHandler(handler(t, "x"))
		refused = err != nil
		call.Returned("")
	})
	t.Join()
	t.Require(stopped, "Run's ctx had a deadline, which has passed, Run of an informer without handlers returned, and on the next line IsStopped returned false.")
	t.Require(refused, "Run's ctx had a deadline, which has passed, Run of an informer without handlers returned, and on the next line AddEventHandler returned no error. ErrStopped was due.")
}

// endsAtOnce calls Run with a ctx that is done.
func endsAtOnce(t *conform.T, s Subject) {
	i := informer(t, s, newCluster("a"))
	i.add(t, handler(t, "early"))
	ctx, cancel := t.WithCancel(t.Context(), "Run's ctx")
	cancel()
	t.Go("run", func(a *conform.Actor) { a.Do(func() { i.i.Run(ctx) }, "Run(ctx)") })
	time.Sleep(aMoment)
	t.Join()
	t.Require(i.isStopped(), "Run was called with a ctx that was done, it has returned, and the informer says that it has not stopped.")
	_, err := i.try(handler(t, "late"))
	t.Require(err != nil, "Run was called with a ctx that was done, it has returned, and AddEventHandler returned no error. ErrStopped was due.")
}

// closesWhateverComesFirst has ctx end before Run, and during it.
func closesWhateverComesFirst(t *conform.T, open func() Subject) {
	for _, before := range []bool{true, false} {
		p := newParts(newCluster("a"))
		i := assemble(t, open(), p)
		r := i.add(t, handler(t, "x"))
		ctx, cancel := t.WithCancel(t.Context(), "Run's ctx")
		defer cancel()
		if before {
			cancel()
		}
		t.Go("run", func(a *conform.Actor) { a.Do(func() { i.i.Run(ctx) }, "Run(ctx)") })
		t.Wait()
		cancel()
		t.Join()
		when := map[bool]string{true: "before Run was called", false: "during Run"}[before]
		t.Require(p.queue.isClosed(), "Run's ctx was cancelled %s, Run has returned, and it has not closed the Queue.", when)
		t.Require(probe.Closed(r.ShutdownChan()), "Run's ctx was cancelled %s, Run has returned, and the ShutdownChan of a handler that was added before Run is not closed. Every ShutdownChan is closed by then.", when)
	}
}

// reflectIsWaitedFor has a Reflect that takes a second to end.
func reflectIsWaitedFor(t *conform.T, s Subject) {
	p := newParts(newCluster("a"))
	p.linger = time.Second
	i := assemble(t, s, p)
	told := handler(t, "y")
	x, y := i.add(t, handler(t, "x")), i.add(t, told)
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	run.cancel()
	time.Sleep(time.Second / 4)
	p.queue.inject(kit.Delta[*kit.Pod]{Type: kit.DeltaAdded, Object: pod("late", 2)})
	time.Sleep(time.Second / 4)
	if _, stored := p.cache.GetByKey(key("late")); stored { // the last Pop has brought it
		told.hears(t, "Run's ctx was cancelled, Reflect takes a second to end, and the last Pop has brought late@2, which is in the Indexer. The handlers are stopped after that.", "add a@1 initial", "add late@2")
	}
	t.Require(!probe.Closed(run.done), "Run's ctx was cancelled, Reflect takes a second to end, and Run returned within 500ms: before Reflect.")
	early := probe.Closed(x.ShutdownChan()) || probe.Closed(y.ShutdownChan())
	time.Sleep(time.Second)
	t.Require(!early, "Run's ctx was cancelled, Reflect takes a second to end, and within 500ms a handler's ShutdownChan was closed: the handlers are stopped after Reflect has returned and the last Pop has ended.")
	t.Require(probe.Closed(run.done), "The ctx of Run was cancelled and Reflect has returned, and Run has not.")
}
