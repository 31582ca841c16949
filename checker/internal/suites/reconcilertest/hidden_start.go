package reconcilertest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// starting is the part of the suite about sources and the beginning.
var starting = []conform.Case[Subject]{
	{
		Name:   "sources-start-together",
		Points: 3,
		Func:   "Controller.Start",
		Rule:   "Start starts all sources before it waits for any of them, and their ctx does not end with the syncing.",
		Why:    "Informers start side by side: ten of them take as long as the slowest one. And they have to run for as long as the controller.",
		Hint: []string{
			"What if the first source can sync only after the second has started?",
			"Use one goroutine for each source, or two loops: Start for all, then WaitForSync for all.",
			"WaitForSync gets a ctx with a timeout. Start must not get the same one.",
		},
		Source: "controller-runtime pkg/internal/controller/controller.go: startEventSourcesAndQueueLocked",
		Contract: []string{
			"Start starts all sources before it waits for any of them, because one may need another",
			"They add to Options.Queue, or to something that passes everything on to it.",
			"The ctx of their Start is done when ctx is, or when Start returns, and no sooner",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			started := make(chan struct{})
			second := (&source{onStart: func(context.Context, Queue) error { close(started); return nil }}).shown(t)
			first := (&source{onSync: func(ctx context.Context) error { return either(ctx, started) }}).shown(t)
			j, q := taking(t, 0), newQueue(t, nil)
			c := control(t, open(), Options{Reconciler: j, Queue: q.plain(), CacheSyncTimeout: time.Minute})
			c.watches(t, first, second)
			run := c.run(t)
			defer run.cancel()
			q.put("a")
			time.Sleep(time.Second)
			t.Require(!run.returned(), "The ctx of Start is not done, and Start returned within 1s.")
			t.Require(j.total() == 1, "The first of two sources syncs when the second is started, and 1s after Start was called shop/a was reconciled %d times. Once was due: Start starts all sources before it waits for any.", j.total())
			time.Sleep(time.Hour)
			_, ctx := first.starts()
			t.Require(ctx.Err() == nil, "The controller runs, and the ctx of a source's Start is done.")
			run.end()
			t.Wait()
			t.Require(ctx.Err() != nil, "Start has returned, and the ctx of a source's Start is not done.")
			outlivesAFailure(t, open())
			startsWithPriorities(t, open())
		},
	},
	{
		Name:   "waits-when-all-have-started",
		Points: 2,
		Func:   "Controller.Start",
		Rule:   "No source is waited for before the Start of every source has returned.",
		Why:    "A source may look, in its WaitForSync, at what another one sets up in its Start. If it is asked too early, it waits for something that does not exist yet.",
		Hint: []string{
			"In this case, one Start takes five seconds. What does your code do with the other source meanwhile?",
			"If one goroutine calls Start and then WaitForSync, it does not know how far the others are. Use two loops, or a second round of goroutines.",
		},
		Source:   "the contract of this lab; controller-runtime pkg/internal/controller/controller.go: startEventSourcesAndQueueLocked (waits for each source right after its own Start)",
		Contract: []string{"it calls WaitForSync when the Start of every source has returned."},
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			startsFirst(t, open())
			givesUpWithoutAsking(t, open(), 10*time.Second)
			givesUpWithoutAsking(t, open(), time.Hour)
		},
	},
	{
		Name:   "a-failed-start-ends-its-sources",
		Points: 2,
		Func:   "Controller.Start",
		Rule:   "When Start gives up, the ctx of the sources that it has started is done.",
		Why:    "A process that starts a controller anew after a failure would otherwise have the informers of all attempts, each with a handler that fills a queue nobody reads.",
		Hint: []string{
			"Who cancels the ctx of the sources if the ctx of Start is not done?",
			"Derive one with context.WithCancel, and defer its cancel in Start.",
		},
		Source: "the contract of this lab",
		Contract: []string{
			"The ctx of their Start is done when ctx is, or when Start returns, and no sooner",
			"If a source returns an error, Start returns one that wraps it, even if another source never syncs, and at the latest when the time for syncing is over. If a source has not synced by then, Start returns an error.",
			"When Start has returned, Reconciler is not called again, and no goroutine of the controller runs for long.",
			"It returns an error if that is impossible, and returns soon when ctx is done. It may return nil then, although it has not synced.",
			"During Start it starts each of them at once, with the ctx and the queue that the others got",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				endsSources(t, open(), failing(t, time.Second, errBoom), "The Start of a source failed after 1s")
			})
			t.Virtual(func(t *conform.T) {
				endsSources(t, open(), adding(t, 24*time.Hour), "A source needs 24h to sync, and its WaitForSync returns an error when its ctx is done")
			})
			t.Virtual(func(t *conform.T) {
				endsSources(t, open(), silent(t), "A source never syncs, and its WaitForSync returns nil when its ctx is done")
			})
			endsTheLateOne(t, open())
			t.Virtual(func(t *conform.T) { endsTheWaiting(t, open()) })
			t.Virtual(func(t *conform.T) { leavesNobodyBehind(t, open()) })
			for range 6 {
				t.Virtual(func(t *conform.T) { leavesKindsAlone(t, open()) })
			}
		},
	},
	{
		Name:   "sync-timeout",
		Points: 4,
		Func:   "Controller.Start",
		Look:   []string{"Controller.Start", "New"},
		Rule:   "If a source has not synced after CacheSyncTimeout, 2 minutes if there is none, Start returns an error and nothing is reconciled.",
		Why:    "Otherwise a controller without the right to list pods would wait for ever and look healthy. An error ends the process, and people see that.",
		Hint: []string{
			"How long may all of this take? What ends the waiting?",
			"Use context.WithTimeout for the ctx of WaitForSync. Its error is an error of Start.",
		},
		Source: "controller-runtime pkg/controller/controller.go: TypedOptions.CacheSyncTimeout",
		Contract: []string{
			"CacheSyncTimeout is how long all sources together may take to start and to sync, counted from the beginning of Start. 0 means 2 minutes.",
			"If a source has not synced by then, Start returns an error.",
			"In these cases Reconciler is never called.",
			"The ctx of their WaitForSync is also done after CacheSyncTimeout. It may end earlier, but only once a source has failed or all have synced.",
			"It belongs to one controller, which calls Start once and then WaitForSync, at most once.",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) { givesUp(t, open(), 10*time.Second, 10*time.Second) })
			t.Virtual(func(t *conform.T) { givesUp(t, open(), 0, 2*time.Minute) })
			t.Virtual(func(t *conform.T) { givesUp(t, open(), 10*time.Minute, 10*time.Minute) })
			for _, option := range []time.Duration{10 * time.Second, 0} {
				t.Virtual(func(t *conform.T) { oneTimeForBoth(t, open(), option) })
				t.Virtual(func(t *conform.T) { countsFromStart(t, open(), option) })
				t.Virtual(func(t *conform.T) { waitsInOneGo(t, open(), option) })
			}
			t.Virtual(func(t *conform.T) { givesUpSoon(t, open()) })
		},
	},
	{
		Name:   "blocked-source",
		Points: 3,
		Func:   "Controller.Start",
		Rule:   "Start gives up after CacheSyncTimeout also if a source's Start does not return. When that Start returns later, no goroutine is left.",
		Why:    "Nobody finds a leak that happens only after a failure. It grows with every restart of a controller in a process that lives on.",
		Hint: []string{
			"What can wait for a function that does not return? Not Start itself.",
			"A goroutine calls the source and sends the result into a channel. What if Start has returned by then?",
			"Use a channel with room for every answer. Then no sender waits.",
		},
		Source: `controller-runtime pkg/internal/controller/controller.go: startEventSourcesAndQueueLocked, "Buffer chan to not leak goroutine if we time out"`,
		Contract: []string{
			"It does so even if the Start of a source blocks. When that Start returns later, with an error or without, no goroutine is left. In these cases Reconciler is never called.",
			"If ctx is done while the sources start or sync, Start returns soon.",
			"If a source returns an error, Start returns one that wraps it, even if another source never syncs, and at the latest when the time for syncing is over.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			release := make(chan struct{})
			fails := (&source{onStart: func(context.Context, Queue) error { <-release; return errBoom }}).shown(t)
			succeeds := (&source{onStart: func(context.Context, Queue) error { <-release; return nil }}).shown(t)
			j, q := taking(t, 0), newQueue(t, nil)
			j.not("a source was not started in time")
			c := control(t, open(), Options{Reconciler: j, Queue: q.plain(), CacheSyncTimeout: 10 * time.Second})
			c.watches(t, fails, adding(t, time.Second, "a"), succeeds)
			run := c.run(t)
			defer run.cancel()
			time.Sleep(11 * time.Second)
			gaveUp := run.returned()
			run.cancel()
			close(release)
			t.Require(gaveUp, "The Start of a source does not return, CacheSyncTimeout is 10s, and after 11s the Start of the controller has not returned.")
			t.Require(run.err != nil, "The Start of a source did not return within CacheSyncTimeout, and Start returned nil. An error was due.")
			t.Require(j.total() == 0, "A source was not started in time, and %d requests were reconciled. None may be.", j.total())
			stopsWhileBlocked(t, open())
			for _, option := range []time.Duration{10 * time.Second, 0} {
				failsBesideBlocked(t, open(), option)
				failsTooLate(t, open(), option)
			}
		},
	},
	{
		Name:   "source-error-ends-start",
		Points: 2,
		Func:   "Controller.Start",
		Rule:   "The error that Start returns wraps the error of a source's Start or WaitForSync. Nothing is reconciled then.",
		Why:    "\"It did not work\" sends people to the wrong place. The error of the informer says what is wrong.",
		Hint: []string{
			"Where do the errors of your goroutines go?",
			"Wrap it with fmt.Errorf and %w, and return it instead of starting the workers.",
		},
		Source: "controller-runtime pkg/internal/controller/controller.go: startEventSourcesAndQueueLocked",
		Contract: []string{
			"If a source returns an error, Start returns one that wraps it, even if another source never syncs, and at the latest when the time for syncing is over.",
			"In these cases Reconciler is never called.",
			"A source whose Start fails does not keep the others from being started, and one that does not sync does not keep the others from being waited for.",
			"It belongs to one controller, which calls Start once and then WaitForSync, at most once.",
		},
		Check: func(t *conform.T, open func() Subject) {
			for n := range 18 {
				t.Virtual(func(t *conform.T) { failsAmongOthers(t, open(), n) })
			}
			t.Virtual(func(t *conform.T) { failsAmongMany(t, open()) })
			t.Virtual(func(t *conform.T) { allFail(t, open()) })
		},
	},
	{
		Name:   "kind-waits-for-its-handler",
		Points: 4,
		Func:   "Kind",
		Rule:   "WaitForSync of a Kind waits for its own handler, not only for the informer; it returns when ctx is done.",
		Why:    "The cache is full, and the keys are still in the buffer of the handler. A worker that starts now finds a queue without them.",
		Hint: []string{
			"Two things have a method HasSynced: the informer, and the registration that AddEventHandler returned. Which do you ask?",
			"The registration. It has no channel, so ask it a few times a second, and watch ctx meanwhile.",
		},
		Source: "controller-runtime#3406, reconciles before the handlers had synced; controller-runtime pkg/internal/source/kind.go: Kind",
		Contract: []string{
			"Its WaitForSync returns nil once the Registration of the handler says that it has synced, which is later than the informer's own HasSynced. It may poll, at least several times a second. If ctx is done first, it returns: with an error after a timeout",
			"If the informer refuses the handler, Start or WaitForSync returns an error that wraps that of the informer.",
			"WaitForSync blocks until everything that existed in the beginning has been added.",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) { waitsForHandler(t, open()) })
			t.Virtual(func(t *conform.T) { refusedHandler(t, open()) })
			t.Virtual(func(t *conform.T) { addsBeforeItSyncs(t, open()) })
		},
	},
	{
		Name:   "starts-once",
		Points: 3,
		Func:   "Controller.Start",
		Rule:   "A second Start returns an error and does nothing else, during the first and after it.",
		Why:    "If two managers start one controller, it runs with twice its workers and, at the end, shuts its queue down twice.",
		Hint: []string{
			"Use a flag under a lock, read and set in one step.",
			"The flag says that Start was called, not that it is running.",
		},
		Source: "controller-runtime pkg/internal/controller/controller.go: Controller.Start",
		Contract: []string{
			"A controller starts once: every other Start returns an error and does nothing else, during the first as well as after it.",
			"If the first has failed, or its ctx was done before it had begun to work, whether a second begins anew is left open. Either way the second returns soon when its own ctx is done.",
			"During Start it starts each of them at once, with the ctx and the queue that the others got",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			j, q, src := taking(t, time.Second), newQueue(t, nil), adding(t, 0)
			j.limit = 1
			c := control(t, open(), Options{Reconciler: j, Queue: q.plain()})
			c.watches(t, src)
			run := c.run(t)
			defer run.cancel()
			time.Sleep(time.Second)
			second := c.run(t)
			defer second.cancel()
			time.Sleep(time.Second)
			t.Require(second.returned(), "Start was called a second time during the first, and 1s later it has not returned. An error was due.")
			t.Require(second.err != nil, "Start was called a second time during the first, and returned nil. An error was due.")
			second.cancel()
			late := adding(t, 0)
			c.watches(t, late)
			n, ctx := late.starts()
			t.Require(n == 1, "Start was called a second time during the first, and was refused. Then Watch was called with a source, and started it %s. Once was due.", conform.Count(n, "time"))
			t.Require(ctx.Err() == nil, "Start was called a second time during the first, and was refused, and its ctx was cancelled. Then Watch started a source, and the ctx of its Start is done, while the first Start goes on.")
			q.put("a", "b")
			time.Sleep(time.Minute)
			_, most, _ := j.load()
			t.Require(most == 1, "Start was called twice, and at one moment %d requests were being reconciled. One at a time is allowed.", most)
			t.Require(j.total() == 2, "Start was called twice, two requests were added, and %d were reconciled.", j.total())
			run.end()
			third := c.run(t)
			defer third.cancel()
			time.Sleep(time.Minute)
			t.Require(third.returned(), "Start was called after the first had returned, and 1m later it has not returned. An error was due.")
			t.Require(third.err != nil, "Start was called after the first had returned, and returned nil. An error was due.")
			started, _ := src.starts()
			t.Require(started == 1, "Start was called three times, and a source was started %d times. Only the first Start does anything.", started)
			q.shutOnce("Start was called three times, of which only the first does anything")
			startsAgainAfterAnEarlyEnd(t, open())
		},
	},
	{
		Name:   "late-watch",
		Points: 2,
		Func:   "Controller.Watch",
		Rule:   "Watch during Start starts a source at once, with the queue and a ctx that lasts. It does not wait for it to sync, and returns its error.",
		Why:    "Some controllers find out at run time what they have to watch, and add their sources then.",
		Hint: []string{
			"Start has started its sources. What starts one that comes later?",
			"Watch itself, with the ctx of Start. Keep it for that.",
		},
		Source: "controller-runtime pkg/internal/controller/controller.go: Controller.Watch",
		Contract: []string{
			"During Start it starts each of them at once, with the ctx and the queue that the others got, does not wait for it to sync, and returns the first error of a source's Start. If several fail, that is the error of the one that stands first, or of the one that failed first. Watch may wrap it. A source whose Start fails does not keep the others from being started.",
			"The ctx of their Start is done when ctx is, or when Start returns, and no sooner",
			"It belongs to one controller, which calls Start once and then WaitForSync, at most once. A Source need not be comparable.",
			"then starts the workers, and blocks until ctx is done.",
			"Watch may be called from any goroutine, also while Start is being called",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			j, q := taking(t, 0), newQueue(t, nil)
			c := control(t, open(), Options{Reconciler: j, Queue: q.plain(), CacheSyncTimeout: time.Minute})
			run := c.run(t)
			defer run.cancel()
			time.Sleep(time.Second)
			late := adding(t, time.Hour, "a")
			before := t.Elapsed()
			c.watches(t, late)
			waited := t.Elapsed() - before
			t.Require(waited == 0, "Watch was called during Start, with a source that syncs after 1h, and returned after %v. It does not wait for that.", waited)
			time.Sleep(2 * time.Minute)
			started, ctx := late.starts()
			t.Require(started == 1, "Watch was called during Start, and within 2m the source was started %d times. Once, at once, was due.", started)
			t.Require(ctx.Err() == nil, "Watch was called during Start, the controller runs, and the ctx of the source is done.")
			t.Require(j.total() == 1, "A source that came during Start added shop/a, which was reconciled %d times. Once was due.", j.total())
			good, slow := adding(t, 0, "b"), failing(t, time.Second, errLater)
			err := c.watch(failing(t, 0, errBoom), slow, good)
			t.Require(errors.Is(err, errBoom), "Watch was called during Start with two sources whose Start fails, and returned %s. The error of the first was due: %q.", conform.Said(err), errBoom)
			started, _ = good.starts()
			t.Require(started == 1, "Watch was called during Start with three sources, of which the first two fail, and started the third %d times. Once was due.", started)
			err = c.watch(adding(t, 0, "c"), failing(t, 0, errBoom))
			t.Require(errors.Is(err, errBoom), "Watch was called during Start with two sources, of which the Start of the second fails, and returned %s. The error of that was due: %q.", conform.Said(err), errBoom)
			goesOn(t, run, ctx)
			t.Require(!slow.asked(), "Watch was called during Start with a source whose Start takes 1s, and WaitForSync of it was called before that had returned. Start comes first, and then WaitForSync.")
			run.end()
			t.Wait()
			t.Require(ctx.Err() != nil, "Start has returned, and the ctx of a source that came during Start is not done.")
			for _, priorities := range []bool{false, true} {
				sameQueueForAll(t, open(), priorities)
			}
			watchesFromWithin(t, open())
			failsForItself(t, open())
			takesValues(t, open())
		},
	},
	{
		Name:   "watch-while-starting",
		Long:   true,
		Points: 3,
		Func:   "Controller.Watch",
		Look:   []string{"Controller.Start", "Controller.Watch"},
		Rule:   "However Watch and Start interleave, each source is started once. Of several Starts one goes on.",
		Why:    "Nobody orders the setup of a program with dozens of controllers. A source that falls between two steps is never started.",
		Hint: []string{
			"Watch asks whether Start has begun, and puts the source into a list. What if Start reads that list in between?",
			"Put the flag and the list under one lock, and what Start does with both, too.",
		},
		Source: "controller-runtime pkg/internal/controller/controller.go: Controller.mu",
		Contract: []string{
			"Watch may be called from any goroutine, also while Start is being called: a source is started once, whichever comes first.",
			"Watch adds sources of requests. Before Start it keeps them until then.",
			"A controller starts once: every other Start returns an error and does nothing else",
			"During Start it starts each of them at once, with the ctx and the queue that the others got",
			"The ctx of their Start is done when ctx is, or when Start returns, and no sooner",
		},
		Check: func(t *conform.T, open func() Subject) {
			watchWhileItSyncs(t, open())
			t.Virtual(func(t *conform.T) { leavesTheSlice(t, open()) })
			t.Copies(func(t *conform.T) { watchWhileStarting(t, open()) })
			meets(t, open())
			watchersMeet(t, open())
		},
	},
}

var errLater = errors.New("boom, later")

// failsForItself has late sources whose errors say that a ctx was done: one of a call that they had made.
func failsForItself(t *conform.T, s Subject) {
	c := control(t, s, Options{Reconciler: taking(t, 0), Queue: newQueue(t, nil).plain()})
	run := c.run(t)
	defer run.cancel()
	time.Sleep(time.Second)
	for _, ended := range []error{context.Canceled, context.DeadlineExceeded} {
		why := fmt.Errorf("%w: a call of its own: %w", errBoom, ended)
		err := c.watch(failing(t, 0, why))
		t.Require(errors.Is(err, errBoom), "Watch was called during Start with a source whose Start returned the error %q, of a call of its own, and returned %s. The ctx of Start is not done: the error of the source was due.", why, conform.Said(err))
	}
	run.end()
}

// flanked are a source whose Start takes its time, between two whose Start does not.
type flanked struct {
	all   []Source
	early atomic.Int32 // calls of WaitForSync before the Start of the one has returned
}

// newFlanked makes three sources. start is the work of the one in the middle.
func newFlanked(t *conform.T, start func(ctx context.Context)) *flanked {
	f := &flanked{}
	var started atomic.Bool
	wait := func(context.Context) error {
		if !started.Load() && f.early.Add(1) == 1 {
			t.Breaks("WaitForSync of a source is called, and the Start of another has not returned.")
		}
		return nil
	}
	middle := &source{onSync: wait, onStart: func(ctx context.Context, _ Queue) error {
		start(ctx)
		started.Store(true)
		return nil
	}}
	for _, s := range []*source{{onSync: wait}, middle, {onSync: wait}} {
		f.all = append(f.all, s.shown(t))
	}
	return f
}

// startsFirst has a Start that takes some time between two that do not, and notes when
// the sources are waited for.
func startsFirst(t *conform.T, s Subject) {
	sources := newFlanked(t, func(ctx context.Context) { _ = within(ctx, 5*time.Second) })
	j, q := taking(t, 0), newQueue(t, nil)
	c := control(t, s, Options{Reconciler: j, Queue: q.plain(), CacheSyncTimeout: time.Minute})
	c.watches(t, sources.all...)
	run := c.run(t)
	defer run.cancel()
	q.put("a")
	time.Sleep(10 * time.Second)
	t.Require(j.total() == 1, "All sources had started and synced after 5s, and after 10s shop/a was reconciled %d times. Once was due.", j.total())
	early := sources.early.Load()
	t.Require(early == 0, "The Start of a source takes 5s, and during that WaitForSync of %d sources was called. It is called when the Start of every source has returned.", early)
	run.end()
}

// givesUpWithoutAsking has a Start that blocks, between two that do not. If the time for syncing is not over
// after ten seconds, ctx is done.
func givesUpWithoutAsking(t *conform.T, s Subject, timeout time.Duration) {
	release := make(chan struct{})
	sources := newFlanked(t, func(context.Context) { <-release })
	c := control(t, s, Options{Reconciler: taking(t, 0), Queue: newQueue(t, nil).plain(), CacheSyncTimeout: timeout})
	c.watches(t, sources.all...)
	run := c.run(t)
	defer run.cancel()
	why := "CacheSyncTimeout was over"
	time.Sleep(10 * time.Second)
	if timeout > 10*time.Second {
		why = "the ctx of the controller's Start was done"
		run.cancel()
	}
	time.Sleep(time.Second)
	asked := sources.early.Load()
	close(release)
	t.Require(asked == 0, "The Start of a source did not return before %s, and WaitForSync was called %s meanwhile. It is called when the Start of every source has returned, and not before.", why, conform.Count(int(asked), "time"))
	run.end()
}

// stopsWhileBlocked ends ctx while the Start of a source blocks.
func stopsWhileBlocked(t *conform.T, s Subject) {
	release := make(chan struct{})
	blocked := (&source{onStart: func(context.Context, Queue) error { <-release; return nil }}).shown(t)
	c := control(t, s, Options{Reconciler: taking(t, 0), Queue: newQueue(t, nil).plain(), CacheSyncTimeout: time.Hour})
	c.watches(t, blocked)
	run := c.run(t)
	defer run.cancel()
	time.Sleep(time.Second)
	run.cancel()
	time.Sleep(time.Minute)
	returned := run.returned()
	close(release)
	t.Require(returned, "The Start of a source does not return, CacheSyncTimeout is 1h, and Start's ctx was cancelled after 1s. A minute later Start has not returned: a process that is to end waits for it.")
}

// syncLimit is how long the sources have by a CacheSyncTimeout.
func syncLimit(option time.Duration) time.Duration {
	if option == 0 {
		return 2 * time.Minute
	}
	return option
}

// failsTooLate has a source whose Start fails an hour after the time for syncing is over.
func failsTooLate(t *conform.T, s Subject, option time.Duration) {
	limit := syncLimit(option)
	c := control(t, s, Options{Reconciler: taking(t, 0), Queue: newQueue(t, nil).plain(), CacheSyncTimeout: option})
	c.watches(t, (&source{onStart: func(context.Context, Queue) error { time.Sleep(limit + time.Hour); return errBoom }}).shown(t))
	run := c.run(t)
	defer run.cancel()
	time.Sleep(limit + time.Second)
	gaveUp := run.returned()
	time.Sleep(time.Hour) // until that Start has returned
	t.Require(gaveUp, "The Start of a source does not return, CacheSyncTimeout is %v, which gives it %v, and 1s after that the Start of the controller has not returned.", option, limit)
	t.Require(run.err != nil, "The Start of a source did not return within CacheSyncTimeout, and Start returned nil. An error was due.")
}

// endsSources has a Start that fails because of one of its sources.
func endsSources(t *conform.T, s Subject, bad *source, why string) {
	q, good := newQueue(t, nil), adding(t, 0)
	c := control(t, s, Options{Reconciler: taking(t, 0), Queue: q.plain(), CacheSyncTimeout: 10 * time.Second})
	c.watches(t, good, bad)
	run := c.run(t)
	defer run.cancel()
	time.Sleep(time.Minute)
	t.Require(run.returned(), "%s. CacheSyncTimeout is 10s, and after 1m Start has not returned. An error was due.", why)
	t.Require(run.err != nil, "%s. CacheSyncTimeout is 10s, and Start returned nil. An error was due.", why)
	started, ctx := good.starts()
	t.Require(started == 1, "Start started a source %d times. Once was due.", started)
	t.Require(ctx.Err() != nil, "Start has given up and returned %s, and the ctx of a source that it had started is not done.", conform.Said(run.err))
}

// endsTheWaiting has one source that fails to sync, and one whose WaitForSync returns when its ctx is
// done. There are ten hours for both.
func endsTheWaiting(t *conform.T, s Subject) {
	var mu sync.Mutex
	var ended time.Duration
	waits := (&source{onSync: func(ctx context.Context) error {
		<-ctx.Done()
		mu.Lock()
		defer mu.Unlock()
		ended = t.Elapsed()
		return ctx.Err()
	}}).shown(t)
	bad := (&source{onSync: func(context.Context) error { return errBoom }}).shown(t)
	c := control(t, s, Options{Reconciler: taking(t, 0), Queue: newQueue(t, nil).plain(), CacheSyncTimeout: 10 * time.Hour})
	c.watches(t, waits, bad)
	run := c.run(t)
	defer run.cancel()
	time.Sleep(11 * time.Hour) // by then Start has to return
	t.Require(run.returned(), "The WaitForSync of a source failed, CacheSyncTimeout is 10h, and after 11h Start has not returned.")
	mu.Lock()
	defer mu.Unlock()
	t.Require(ended <= run.at+time.Minute, "The WaitForSync of a source failed, and Start returned %q after %v. The ctx of another source's WaitForSync, which waits for its end, was not done before %v: no goroutine of the controller runs for long when Start has returned.", run.err, run.at, ended)
}

// leavesKindsAlone has a source whose Start fails after a second, and two of informers. One of these
// refuses the handler, and the other takes it. Nobody may wait for them: at its end the case looks
// for goroutines that are left.
func leavesKindsAlone(t *conform.T, s Subject) {
	takes, refuses := newInformer(t), newInformer(t)
	refuses.refuses = errBoom
	for _, i := range []*informer{takes, refuses} {
		c := control(t, s, Options{Reconciler: taking(t, 0), Queue: newQueue(t, nil).plain(), CacheSyncTimeout: 10 * time.Second})
		c.watches(t, made(t, "For(informer)", func() Source { return s.For(i) }), failing(t, time.Second, errLater))
		run := c.run(t)
		defer run.cancel()
		time.Sleep(time.Minute)
		t.Require(run.returned(), "The Start of a source failed, CacheSyncTimeout is 10s, and after 1m Start has not returned.")
		t.Require(run.err != nil, "The Start of a source failed, and Start returned nil. An error was due.")
	}
}

// oneTimeForBoth has a source that needs six tenths of the time to start, and as much to sync.
func oneTimeForBoth(t *conform.T, s Subject, option time.Duration) {
	limit := syncLimit(option)
	part := limit * 6 / 10
	slow := (&source{
		onStart: func(ctx context.Context, _ Queue) error { return within(ctx, part) },
		onSync:  func(ctx context.Context) error { return within(ctx, part) },
	}).shown(t)
	j, q := taking(t, 0), newQueue(t, nil)
	j.not("a source has not synced in time")
	c := control(t, s, Options{Reconciler: j, Queue: q.plain(), CacheSyncTimeout: option})
	c.watches(t, slow)
	run := c.run(t)
	defer run.cancel()
	q.put("a")
	time.Sleep(limit + time.Second)
	t.Require(run.returned(), "A source takes %v to start and %v to sync, CacheSyncTimeout is %v, which gives it %v for both together, and 1s after that Start has not returned.", part, part, option, limit)
	t.Require(run.err != nil, "A source takes %v to start and %v to sync, CacheSyncTimeout is %v, which gives it %v for both together, and Start returned nil. An error was due.", part, part, option, limit)
	t.Require(j.total() == 0, "A source has not synced in time, and %d requests were reconciled. None may be.", j.total())
}

// givesUp has one source that never syncs among two that do.
func givesUp(t *conform.T, s Subject, timeout, want time.Duration) {
	j, q := taking(t, 0), newQueue(t, nil)
	j.not("a source has not synced")
	c := control(t, s, Options{Reconciler: j, Queue: q.plain(), CacheSyncTimeout: timeout})
	c.watches(t, adding(t, time.Second, "a"), adding(t, 24*time.Hour, "b"), adding(t, 0, "c"))
	run := c.run(t)
	defer run.cancel()
	time.Sleep(want - time.Second)
	t.Require(!run.returned(), "A source has not synced, CacheSyncTimeout is %v, which gives it %v, and Start returned within %v.", timeout, want, want-time.Second)
	time.Sleep(2 * time.Second)
	t.Require(run.returned(), "A source has not synced, CacheSyncTimeout is %v, which gives it %v, and 1s after that Start has not returned.", timeout, want)
	t.Require(run.err != nil, "A source has not synced in time, and Start returned nil. An error was due.")
	time.Sleep(time.Minute)
	t.Require(j.total() == 0, "A source has not synced, and %d requests were reconciled. None may be.", j.total())
}

func waitsForHandler(t *conform.T, s Subject) {
	i, q := newInformer(t), newQueue(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	src := s.For(i)
	begin(t, src, ctx, q.plain())
	done := make(chan error, 1)
	t.Go("sync", func(a *conform.Actor) {
		done <- conform.Do(a, func() error { return src.WaitForSync(ctx) }, "WaitForSync(ctx)")
	})
	time.Sleep(time.Minute)
	t.Require(len(done) == 0, "HasSynced of the handler's registration is false, and WaitForSync returned within 1m: the handler has not heard of all objects.")
	time.Sleep(100 * time.Millisecond) // not at the moment of a poll every few seconds
	i.sync()
	time.Sleep(time.Second)
	t.Require(len(done) == 1, "HasSynced of the handler's registration is true, and 1s later WaitForSync has not returned.")
	failed := <-done
	t.Require(failed == nil, "HasSynced of the handler's registration is true, and WaitForSync returned %q. nil was due.", failed)
	for _, stopped := range []bool{false, true} {
		neverSyncs(t, s, stopped)
	}
}

// refusedHandler has an informer that takes no handler. Start may say so, or WaitForSync.
func refusedHandler(t *conform.T, s Subject) {
	i := newInformer(t)
	i.refuses = errBoom
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	src := s.For(i)
	err := conform.Do(t.Actor, func() error { return src.Start(ctx, newQueue(t, nil).plain()) }, "the source's Start(ctx, queue)")
	if err == nil {
		err = conform.Do(t.Actor, func() error { return src.WaitForSync(ctx) }, "the source's WaitForSync(ctx)")
	}
	t.Require(errors.Is(err, errBoom), "The informer refused the handler with %q. Start, or WaitForSync after it, returned %s, which does not wrap that.", errBoom, conform.Said(err))
}

// addsBeforeItSyncs has handlers hear of the only object of the list, and looks at the queue on the
// line after WaitForSync.
func addsBeforeItSyncs(t *conform.T, s Subject) {
	for range 20 {
		i, q := newInformer(t), newQueue(t, nil)
		src := s.For(i)
		begin(t, src, t.Context(), q)
		i.tell().OnAdd(pod("listed", 1), true)
		i.sync()
		err := src.WaitForSync(t.Context())
		added := q.Len()
		t.Require(err == nil, "The handler has synced, and WaitForSync returned %q. nil was due.", err)
		t.Require(added == 1, "The handler has heard of the only object of the list, HasSynced of its registration is true, and WaitForSync has returned. The queue has %s: WaitForSync blocks until everything that existed in the beginning has been added.", conform.Count(added, "request"))
	}
}
