package informertest

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// sharing is the part of the suite about factories. Their informers are the suite's.
var sharing = []conform.Case[Subject]{
	{
		Name:   "factory-starts-once",
		Points: 3,
		Func:   "Factory.Start",
		Rule:   "Start runs every informer once, however often it is called, also those that were requested in the meantime. It does not wait.",
		Why:    "Each part of a program asks for its informers and calls Start, without knowing of the others.",
		Hint: []string{
			"What does the factory have to remember of each informer?",
			"Does your Start return while the informers run?",
		},
		Source: "client-go informers/factory.go: startedInformers",
		Contract: []string{
			"Start calls Run of every informer that has not been started yet, with ctx and on a goroutine of its own.",
			"It does not wait for anything and may be called again: then it starts the informers that were requested in the meantime.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			f := newFactory(t, open(), 0)
			pods, nodes := &dummy[*kit.Pod]{}, &dummy[*Node]{}
			ctx, cancel := t.WithCancel(t.Context(), "Start's ctx")
			defer cancel()
			f.pods(pods)
			f.start(ctx)
			f.start(ctx)
			t.Wait()
			pods.ran(t, 1, "Start was called twice, and has to run every informer once.")
			f.nodes(nodes)
			t.Wait()
			nodes.ran(t, 0, "The informer of nodes was made after Start, and Start was not called again.")
			f.start(ctx)
			t.Wait()
			nodes.ran(t, 1, "The informer of nodes was made after the first Start, and Start was called again.")
			pods.ran(t, 1, "The informer of pods was running when Start was called again.")
			t.Require(pods.alive.Load(), "The ctx of Start goes on, and the Run of an informer has ended.")
			cancel()
			f.shutdown()
			eachWithItsCtx(t, f.s)
			bothRunAtOnce(t, f.s)
			oneRunsAlready(t, f.s)
		},
	},
	{
		Name:   "factory-waits",
		Points: 3,
		Func:   "Factory.WaitForCacheSync",
		Look:   []string{"Factory.WaitForCacheSync", "Factory.Shutdown", "Factory.Start"},
		Rule:   "WaitForCacheSync waits for all started informers or for its ctx, and reports which. Shutdown waits until all of them have stopped, and nothing starts after it.",
		Why:    "Workers that start before the caches are full take missing objects for deleted ones.",
		Hint: []string{
			"One informer has synced and another one has not. What do you return, and when?",
			"Count the goroutines of Start with a sync.WaitGroup, and let Shutdown wait for them.",
			"A Start during Shutdown must find a flag. Otherwise it adds to a WaitGroup on which Shutdown already waits.",
		},
		Source: "client-go informers/factory.go: WaitForCacheSync, Shutdown",
		Contract: []string{
			"WaitForCacheSync waits until every informer that was started before the call has synced, and reports true. If ctx is done earlier, it reports false.",
			"Shutdown waits until the Run of every informer that was started has returned.",
			"InformerFor and all methods may be called from any goroutine.",
			"Of many calls for one type at the same time only one makes an informer, and all return that one.",
			"It does not wait for anything and may be called again",
			"While it waits, or WaitForCacheSync does, no other call waits for it.",
			"Once Shutdown has been called it does nothing.",
			"It may poll, but at least every 100 ms; when ctx is done it may report false without looking again.",
			"Start calls Run of every informer that has not been started yet",
			"It may be called more than once",
			"InformerFor returns the informer of f for objects of type T, also after Shutdown.",
			"It does not stop them: the ctx of Start does.",
			"An informer whose Run has returned counts like any other, also after Shutdown.",
		},
		Check: factoryWaits,
	},
}

func factoryWaits(t *conform.T, open func() Subject) {
	startDoesNotWait(t, open())
	t.Copies(func(t *conform.T) { factoryFromAnyGoroutine(t, open()) })
	startsMeetInformerFor(t, open())
	t.Virtual(func(t *conform.T) {
		f := newFactory(t, open(), 0)
		t.Require(f.wait(t.Actor, t.Context()), "Nothing was started, and WaitForCacheSync returned false. true was due.")
		pods, nodes := &dummy[*kit.Pod]{stops: time.Minute}, &dummy[*Node]{stops: time.Second}
		ctx, cancel := t.WithCancel(t.Context(), "Start's ctx")
		defer cancel()
		f.pods(pods)
		f.nodes(nodes)
		f.start(ctx)

		short, stop := t.WithTimeout(t.Context(), time.Second, "the ctx of WaitForCacheSync")
		defer stop()
		pods.sync()
		t.Require(!f.wait(t.Actor, short), "One of two informers has not synced, ctx ended after 1s, and WaitForCacheSync returned true. false was due.")
		var synced atomic.Bool
		t.Go("waiting", func(a *conform.Actor) {
			t.Assert(f.wait(a, t.Context()), "All informers have synced, and WaitForCacheSync returned false.")
			synced.Store(true)
		})
		time.Sleep(time.Second)
		t.Require(!synced.Load(), "One of two informers has not synced, ctx is not done, and WaitForCacheSync returned within 1s.")
		nodes.sync()
		time.Sleep(110 * time.Millisecond) // it may poll every 100 ms
		t.Require(synced.Load(), "All informers have synced, and 110ms later WaitForCacheSync has not returned.")

		cancel()
		f.shutdown()
		t.Require(!pods.alive.Load() && !nodes.alive.Load(), "The Runs of two informers take a minute and a second to end, and Shutdown returned before both had.")
		f.shutdown()
		t.Require(f.pods(&dummy[*kit.Pod]{}) == kit.SharedInformer[*kit.Pod](pods), "Shutdown has returned, and InformerFor[*Pod] did not return the informer of pods that the factory has.")
		nothingStartsAfterTheEnd(t, f.s)
		looksOften(t, f.s)
		syncsAfterALook(t, f.s)
		waitsForEach(t, f.s)
		oneSyncsAtTheEnd(t, f.s)
		waitsForTheStarted(t, f.s)
		syncedBeforeTheEnd(t, f.s)
		shutsDownAtOnce(t, f.s)
		shutdownStopsNothing(t, f.s)
	})
}

// eachWithItsCtx starts two informers with a ctx each, and another with one that is done.
func eachWithItsCtx(t *conform.T, s Subject) {
	f := newFactory(t, s, 0)
	pods, nodes := &dummy[*kit.Pod]{}, &dummy[*Node]{}
	first, cancelFirst := t.WithCancel(t.Context(), "the ctx of the first Start")
	second, cancelSecond := t.WithCancel(t.Context(), "the ctx of the second Start")
	defer cancelFirst()
	defer cancelSecond()
	f.pods(pods)
	f.start(first)
	f.nodes(nodes)
	f.start(second)
	t.Wait()
	cancelFirst()
	t.Wait()
	t.Require(!pods.alive.Load(), "The informer of pods was started by the first Start, whose ctx is done, and its Run goes on: it was called with another ctx.")
	t.Require(nodes.alive.Load(), "The informer of nodes was started by the second Start, whose ctx goes on, and its Run has ended: it was called with another ctx.")
	cancelSecond()
	f.shutdown()

	f, pods = newFactory(t, s, 0), &dummy[*kit.Pod]{}
	f.pods(pods)
	f.start(first)
	t.Wait()
	pods.ran(t, 1, "Start was called with a ctx that was done. It calls Run all the same, with that ctx.")
	third, cancelThird := t.WithCancel(t.Context(), "the ctx of the next Start")
	defer cancelThird()
	f.start(third)
	t.Wait()
	pods.ran(t, 1, "Start was called with a ctx that was done, and again. The first call has started the informer.")
	f.shutdown()
}

// bothRunAtOnce has one Start run two informers.
func bothRunAtOnce(t *conform.T, s Subject) {
	f := newFactory(t, s, 0)
	pods, nodes := &dummy[*kit.Pod]{}, &dummy[*Node]{}
	ctx, cancel := t.WithCancel(t.Context(), "Start's ctx")
	defer cancel()
	f.pods(pods)
	f.nodes(nodes)
	f.start(ctx)
	t.Wait()
	const both = "The informers of pods and of nodes were made, Start was called once, and it runs each on a goroutine of its own."
	pods.ran(t, 1, both+" This is about the informer of pods.")
	nodes.ran(t, 1, both+" This is about the informer of nodes.")
	cancel()
	f.shutdown()
}

// oneRunsAlready has an informer whose Run was called before the factory could: an informer runs once, and so the call of
// the factory returns at once.
func oneRunsAlready(t *conform.T, s Subject) {
	f := newFactory(t, s, 0)
	pods, nodes := &dummy[*kit.Pod]{}, &dummy[*Node]{begun: true}
	ctx, cancel := t.WithCancel(t.Context(), "Start's ctx")
	defer cancel()
	f.pods(pods)
	f.nodes(nodes)
	f.start(ctx)
	time.Sleep(time.Second)
	alive := pods.alive.Load()
	cancel()
	f.shutdown()
	t.Require(alive, "Start ran two informers, the Run of that of nodes returned at once, and the Run of that of pods has ended, too, though the ctx of Start goes on. Each Run is called with that ctx.")
}

// waitsForTheEnded has an informer whose Run returns before it has synced, and asks for it before and after Shutdown.
func waitsForTheEnded(t *conform.T, s Subject) {
	f := newFactory(t, s, 0)
	pods := &dummy[*kit.Pod]{}
	ctx, cancel := t.WithCancel(t.Context(), "Start's ctx")
	f.pods(pods)
	f.start(ctx)
	cancel()
	t.Wait()
	for _, when := range []string{"", ", Shutdown as well"} {
		short, stop := t.WithTimeout(t.Context(), time.Second, "the ctx of WaitForCacheSync")
		synced := f.wait(t.Actor, short)
		stop()
		t.Require(!synced, "The Run of the only informer has returned%s, the informer has not synced, ctx ended after 1s, and WaitForCacheSync returned true. false was due.", when)
		f.shutdown()
	}
	pods.sync()
	t.Require(f.wait(t.Actor, t.Context()), "The Run of the only informer has returned, Shutdown as well, the informer has synced, and WaitForCacheSync returned false. true was due.")
}

// nothingStartsAfterTheEnd calls Start after Shutdown.
func nothingStartsAfterTheEnd(t *conform.T, s Subject) {
	f := newFactory(t, s, 0)
	f.shutdown()
	never := &dummy[*kit.Pod]{}
	f.pods(never)
	ctx, cancel := t.WithCancel(t.Context(), "Start's ctx")
	defer cancel()
	f.start(ctx)
	t.Wait()
	never.ran(t, 0, "Start was called after Shutdown, and does nothing then.")
	short, stop := t.WithTimeout(t.Context(), time.Second, "the ctx of WaitForCacheSync")
	defer stop()
	t.Require(f.wait(t.Actor, short), "Start was called after Shutdown, and does nothing then, so no informer was started. WaitForCacheSync returned false: it waits for none.")
	t.Require(f.pods(&dummy[*kit.Pod]{}) == kit.SharedInformer[*kit.Pod](never), "InformerFor[*Pod] was called twice after Shutdown, and the second call did not return the informer that was made for the first: all calls for one type return one informer.")
}

// shutsDownAtOnce calls Shutdown on the line after Start.
func shutsDownAtOnce(t *conform.T, s Subject) {
	f := newFactory(t, s, 0)
	pods := &dummy[*kit.Pod]{}
	f.pods(pods)
	ctx, cancel := t.WithTimeout(t.Context(), time.Second, "Start's ctx")
	defer cancel()
	call := f.a.Call("Start(ctx), and on the next line Shutdown()")
	f.f.Start(ctx)
	f.f.Shutdown()
	call.Returned("")
	runs, alive := pods.runs.Load(), pods.alive.Load()
	const at = "Start was called and, on the next line, Shutdown, which waits until the Run of every informer that was started has returned."
	t.Require(runs == 1, at+" Shutdown returned when the Run of the only informer had been called %s.", conform.Count(int(runs), "time"))
	t.Require(!alive, at+" Shutdown returned when the Run of the only informer had been called and had not returned.")
}

// looksOften has an informer sync at two moments. A program that looks every 150ms or less often misses one of
// them by more than 100ms.
func looksOften(t *conform.T, s Subject) {
	for _, after := range []time.Duration{910 * time.Millisecond, 1010 * time.Millisecond} {
		f := newFactory(t, s, 0)
		pods := &dummy[*kit.Pod]{}
		ctx, cancel := t.WithCancel(t.Context(), "Start's ctx")
		defer cancel()
		f.pods(pods)
		f.start(ctx)
		var synced atomic.Bool
		t.Go("waiting", func(a *conform.Actor) {
			f.wait(a, t.Context())
			synced.Store(true)
		})
		time.Sleep(after)
		pods.sync()
		time.Sleep(110 * time.Millisecond)
		in := synced.Load()
		cancel()
		f.shutdown()
		t.Require(in, "The only informer synced %v after WaitForCacheSync had been called, and 110ms later it has not returned. It may poll, but at least every 100ms.", after)
	}
}

// syncsAfterALook has an informer sync right after it was asked for the third time.
func syncsAfterALook(t *conform.T, s Subject) {
	f := newFactory(t, s, 0)
	pods := &dummy[*kit.Pod]{}
	var asked atomic.Int32
	var at, returned atomic.Int64
	pods.asked = func() {
		if asked.Add(1) == 3 {
			at.Store(int64(t.Elapsed()))
			pods.sync()
		}
	}
	ctx, cancel := t.WithCancel(t.Context(), "Start's ctx")
	defer cancel()
	f.pods(pods)
	f.start(ctx)
	t.Go("waiting", func(a *conform.Actor) {
		f.wait(a, t.Context())
		returned.Store(int64(t.Elapsed()))
	})
	time.Sleep(time.Second)
	pods.sync()
	cancel()
	t.Join()
	f.shutdown()
	t.Require(asked.Load() >= 3, "WaitForCacheSync asked the only informer %s within a second. It may poll, but at least every 100ms.", conform.Count(int(asked.Load()), "time"))
	took := time.Duration(returned.Load() - at.Load())
	t.Require(took <= 100*time.Millisecond, "The only informer synced right after WaitForCacheSync had asked it, which returned %v later. It may poll, but at least every 100ms.", took)
}

// syncedBeforeTheEnd asks with a ctx that ended after all informers had synced.
func syncedBeforeTheEnd(t *conform.T, s Subject) {
	f := newFactory(t, s, 0)
	pods, nodes := &dummy[*kit.Pod]{}, &dummy[*Node]{}
	ctx, cancel := t.WithCancel(t.Context(), "Start's ctx")
	defer cancel()
	f.pods(pods)
	f.nodes(nodes)
	f.start(ctx)
	pods.sync()
	nodes.sync()
	time.Sleep(time.Second)
	done, end := t.WithCancel(t.Context(), "the ctx of WaitForCacheSync")
	end()
	time.Sleep(time.Second)
	for range 20 { // a select over both picks at random
		t.Require(f.wait(t.Actor, done), "Both informers that were started had synced a second before ctx was done. WaitForCacheSync was called after that, and returned false, which it reports if ctx is done earlier.")
	}
	cancel()
	f.shutdown()
}

// waitsForEach has one of two informers synced, in turn: a factory goes through them in an
// order of its own. Each time it is a new factory, for one may remember who has synced.
func waitsForEach(t *conform.T, s Subject) {
	for n := range 8 {
		f := newFactory(t, s, 0)
		pods, nodes := &dummy[*kit.Pod]{}, &dummy[*Node]{}
		pods.synced.Store(n%2 == 0)
		nodes.synced.Store(n%2 == 1)
		ctx, cancel := t.WithCancel(t.Context(), "Start's ctx")
		f.pods(pods)
		f.nodes(nodes)
		f.start(ctx)
		short, stop := t.WithTimeout(t.Context(), time.Second, "the ctx of WaitForCacheSync")
		synced := f.wait(t.Actor, short)
		stop()
		again := f.wait(t.Actor, short)
		cancel()
		f.shutdown()
		t.Require(!synced, "One of two informers has not synced, ctx ended after 1s, and WaitForCacheSync returned true. false was due.")
		t.Require(!again, "One of two informers has not synced, and WaitForCacheSync was called with a ctx that was done. It returned true, and false was due.")
	}
}

// oneSyncsAtTheEnd has one of two informers sync at the moment at which ctx ends.
func oneSyncsAtTheEnd(t *conform.T, s Subject) {
	for n := range 8 {
		f := newFactory(t, s, 0)
		pods, nodes := &dummy[*kit.Pod]{}, &dummy[*Node]{}
		ctx, cancel := t.WithCancel(t.Context(), "Start's ctx")
		f.pods(pods)
		f.nodes(nodes)
		f.start(ctx)
		short, stop := t.WithCancel(t.Context(), "the ctx of WaitForCacheSync")
		var synced atomic.Bool
		t.Go("waiting", func(a *conform.Actor) { synced.Store(f.wait(a, short)) })
		time.Sleep(time.Second + 3*time.Millisecond)
		if n%2 == 0 {
			pods.sync()
		} else {
			nodes.sync()
		}
		stop()
		t.Join()
		cancel()
		f.shutdown()
		t.Require(!synced.Load(), "One of two informers synced at the moment at which ctx ended, the other one has not synced, and WaitForCacheSync returned true. false was due.")
	}
}

// shutdownStopsNothing calls Shutdown while the ctx of Start goes on, and asks for caches that have not synced.
func shutdownStopsNothing(t *conform.T, s Subject) {
	f := newFactory(t, s, 0)
	pods := &dummy[*kit.Pod]{}
	ctx, cancel := t.WithCancel(t.Context(), "Start's ctx")
	defer cancel()
	f.pods(pods)
	f.start(ctx)
	var returned atomic.Bool
	t.Go("ending", func(a *conform.Actor) {
		f.as(a).shutdown()
		returned.Store(true)
	})
	t.Wait()
	short, stop := t.WithTimeout(t.Context(), time.Second, "the ctx of WaitForCacheSync")
	defer stop()
	synced := f.wait(t.Actor, short)
	alive, early := pods.alive.Load(), returned.Load()
	cancel()
	t.Join()
	t.Require(alive, "Shutdown was called, the ctx of Start goes on, and the Run of the only informer has ended. Shutdown does not stop it.")
	t.Require(!early, "Shutdown was called, the Run of the only informer has not returned, and Shutdown returned within a second.")
	t.Require(!synced, "Shutdown was called, the only informer has not synced, ctx ended after 1s, and WaitForCacheSync returned true. false was due.")
}

// waitsForTheStarted starts one informer before WaitForCacheSync, one during it, then none,
// and in the end one that ends.
func waitsForTheStarted(t *conform.T, s Subject) {
	f := newFactory(t, s, 0)
	pods, nodes := &dummy[*kit.Pod]{}, &dummy[*Node]{}
	ctx, cancel := t.WithCancel(t.Context(), "Start's ctx")
	defer cancel()
	f.pods(pods)
	f.start(ctx)
	f.nodes(nodes)
	var returned atomic.Bool
	t.Go("waiting", func(a *conform.Actor) {
		t.Assert(f.wait(a, t.Context()), "The one informer that was started has synced, and WaitForCacheSync returned false.")
		returned.Store(true)
	})
	time.Sleep(time.Second)
	t.Require(!returned.Load(), "The one informer that was started has not synced, and WaitForCacheSync returned within 1s.")
	f.start(ctx)
	time.Sleep(time.Second)
	pods.sync()
	time.Sleep(time.Second)
	t.Require(returned.Load(), "The one informer that was started before the call of WaitForCacheSync has synced, and 1s later it has not returned. It waits for another one as well, which was made before the call and started during it.")
	cancel()
	f.shutdown()

	f = newFactory(t, s, 0)
	f.nodes(nodes)
	t.Require(f.wait(t.Actor, t.Context()), "No informer was started, one was made that has not synced, and WaitForCacheSync returned false.")
	waitsForTheEnded(t, s)
}

// startDoesNotWait calls Start during WaitForCacheSync and during Shutdown. It runs outside
// a bubble, where a goroutine that waits for a lock counts as blocked, and before all that
// is in one: no time passes there while a Start waits for a lock.
func startDoesNotWait(t *conform.T, s Subject) {
	f := newFactory(t, s, 0)
	pods, nodes := &dummy[*kit.Pod]{stuck: make(chan struct{})}, &dummy[*Node]{}
	ctx, cancel := t.WithCancel(t.Context(), "Start's ctx")
	defer cancel()
	f.pods(pods)
	f.start(ctx)
	t.Go("waiting", func(a *conform.Actor) { f.wait(a, t.Context()) })
	t.Wait()
	during := f.returns(ctx)
	pods.sync()
	t.Require(during, "WaitForCacheSync was under way, InformerFor[*Pod] and Start were called, and they did not return before WaitForCacheSync had. While it waits, no other call waits for it.")
	t.Join()
	f.nodes(nodes)
	cancel()
	var ended atomic.Int32
	for _, who := range []string{"ending", "ending, too"} {
		t.Go(who, func(a *conform.Actor) {
			f.as(a).shutdown()
			ended.Add(1)
		})
		t.Wait()
	}
	early := ended.Load()
	during = f.returns(ctx)
	runs := nodes.runs.Load()
	close(pods.stuck)
	t.Require(early == 0, "Shutdown was called twice, the Run of an informer has not returned, and %s of Shutdown has. Each call waits until every Run has returned.", conform.Count(int(early), "call"))
	t.Require(during, "Shutdown was under way, InformerFor[*Pod] and Start were called, and they did not return before Shutdown had. While it waits, no other call waits for it.")
	t.Require(runs == 0, "Shutdown was under way, Start was called, and it ran an informer. Once Shutdown has been called Start does nothing.")
	t.Join()
	nobodyWaitsForALook(t, s)
}

// nobodyWaitsForALook calls InformerFor and Start while WaitForCacheSync is in the HasSynced of an informer, which may
// wait for the lock of its Queue. It runs outside a bubble, as what it may show is a lock that is held.
func nobodyWaitsForALook(t *conform.T, s Subject) {
	f := newFactory(t, s, 0)
	inCall, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	pods := &dummy[*kit.Pod]{asked: func() {
		once.Do(func() {
			close(inCall)
			<-goOn
		})
	}}
	ctx, cancel := t.WithCancel(t.Context(), "Start's ctx")
	defer cancel()
	f.pods(pods)
	pods.sync()
	f.start(ctx)
	t.Go("waiting", func(a *conform.Actor) { f.wait(a, t.Context()) })
	<-inCall
	during := f.returns(ctx)
	close(goOn)
	t.Require(during, "WaitForCacheSync was in the HasSynced of an informer, which had not returned, InformerFor[*Pod] and Start were called, and they did not return before WaitForCacheSync had. While it waits, no other call waits for it.")
	t.Join()
	cancel()
	f.shutdown()
}

// as is the same factory in the hands of another goroutine.
func (f sharer) as(a *conform.Actor) sharer {
	f.a = a
	return f
}

// returns calls InformerFor and Start, and reports whether they have returned when everybody is blocked.
func (f sharer) returns(ctx context.Context) bool {
	var yes atomic.Bool
	f.t.Go("starting", func(a *conform.Actor) {
		me := f.as(a)
		me.pods(&dummy[*kit.Pod]{})
		me.start(ctx)
		yes.Store(true)
	})
	f.t.Wait()
	return yes.Load()
}
