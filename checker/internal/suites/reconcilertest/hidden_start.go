package reconcilertest

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
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
			"The ctx of their Start is done when ctx is, or when Start returns, and no sooner",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			started := make(chan struct{})
			second := &source{onStart: func(context.Context, Queue) error { close(started); return nil }}
			first := &source{onSync: func(ctx context.Context) error {
				select {
				case <-started:
					return nil
				case <-ctx.Done():
					return ctx.Err()
				}
			}}
			j, q := taking(t, 0), newQueue(t, nil)
			c := control(t, open(), Options{Reconciler: j, Queue: q.plain(), CacheSyncTimeout: time.Minute})
			require.NoError(t, c.watch(first, second), "Watch failed before Start for no reason.")
			run := c.run(t)
			defer run.cancel()
			q.put("a")
			time.Sleep(time.Second)
			require.False(t, run.returned(), "Start returned although its ctx is not done.")
			require.Equal(t, 1, j.total(), "A source that needs another one to be started did not sync.")
			time.Sleep(time.Hour)
			_, ctx := first.starts()
			require.NoError(t, ctx.Err(), "The ctx of a source's Start was done although the controller runs.")
			run.end()
			t.Wait()
			require.Error(t, ctx.Err(), "Start has returned, and the ctx of a source's Start is not done.")
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
		Check:    func(t *conform.T, open func() Subject) { startsFirst(t, open()) },
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
			"If a source returns an error, Start returns one that wraps it, at the latest when the time for syncing is over. If a source has not synced by then, Start returns an error.",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) { endsSources(t, open(), failing(time.Second, errBoom)) })
			t.Virtual(func(t *conform.T) { endsSources(t, open(), adding(24*time.Hour)) })
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
			"CacheSyncTimeout is how long all sources together may take to start and to sync. 0 means 2 minutes.",
			"If a source has not synced by then, Start returns an error.",
			"In these cases Reconciler is never called.",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) { givesUp(t, open(), 10*time.Second, 10*time.Second) })
			t.Virtual(func(t *conform.T) { givesUp(t, open(), 0, 2*time.Minute) })
			t.Virtual(func(t *conform.T) { oneTimeForBoth(t, open()) })
		},
	},
	{
		Name:   "blocked-source",
		Points: 3,
		Func:   "Controller.Start",
		Rule:   "Start gives up after CacheSyncTimeout also if a source's Start does not return. When that does return one day, no goroutine is left.",
		Why:    "Nobody finds a leak that happens only after a failure. It grows with every restart of a controller in a process that lives on.",
		Hint: []string{
			"What can wait for a function that does not return? Not Start itself.",
			"A goroutine calls the source and sends the result into a channel. What if Start has returned by then?",
			"Use a channel with room for every answer. Then no sender waits.",
		},
		Source:   `controller-runtime pkg/internal/controller/controller.go: startEventSourcesAndQueueLocked, "Buffer chan to not leak goroutine if we time out"`,
		Contract: []string{"It does so even if the Start of a source blocks; when that returns one day, whatever it returns, no goroutine is left. In these cases Reconciler is never called."},
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			release := make(chan struct{})
			fails := &source{onStart: func(context.Context, Queue) error { <-release; return errBoom }}
			succeeds := &source{onStart: func(context.Context, Queue) error { <-release; return nil }}
			j, q := taking(t, 0), newQueue(t, nil)
			c := control(t, open(), Options{Reconciler: j, Queue: q.plain(), CacheSyncTimeout: 10 * time.Second})
			require.NoError(t, c.watch(fails, adding(time.Second, "a"), succeeds), "Watch failed before Start for no reason.")
			run := c.run(t)
			defer run.cancel()
			time.Sleep(11 * time.Second)
			gaveUp := run.returned()
			run.cancel()
			close(release)
			require.True(t, gaveUp, "The Start of a source does not return, and after CacheSyncTimeout that of the controller has not either.")
			require.Error(t, run.err, "A source could not be started in time, and Start returned no error.")
			require.Zero(t, j.total(), "A request was reconciled although a source had not synced.")
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
			"If a source returns an error, Start returns one that wraps it, at the latest when the time for syncing is over.",
			"In these cases Reconciler is never called.",
		},
		Check: func(t *conform.T, open func() Subject) {
			starting := &source{onStart: func(context.Context, Queue) error { return errBoom }}
			syncing := &source{onSync: func(context.Context) error { return errBoom }}
			for n, bad := range []*source{starting, syncing, starting, syncing} {
				t.Virtual(func(t *conform.T) {
					j, q := taking(t, 0), newQueue(t, nil)
					c := control(t, open(), Options{Reconciler: j, Queue: q.plain(), CacheSyncTimeout: time.Minute})
					last := adding(0, "b")
					if n >= 2 {
						last = adding(24*time.Hour, "b") // never syncs
					}
					require.NoError(t, c.watch(adding(time.Second, "a"), bad, last), "Watch failed before Start for no reason.")
					run := c.run(t)
					defer run.cancel()
					time.Sleep(time.Minute + time.Second)
					require.True(t, run.returned(), "A source failed, and Start did not return within the time for syncing.")
					require.ErrorIs(t, run.err, errBoom, "Start returned another error than the one of the source that failed.")
					require.Zero(t, j.total(), "A request was reconciled although a source had failed.")
				})
			}
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
			"Its WaitForSync returns nil once the Registration of the handler says that it has synced, which is later than the informer's own HasSynced. It may poll, several times a second. If ctx is done first, it returns: with an error after a timeout",
			"If the informer refuses the handler, Start or WaitForSync returns an error that wraps that of the informer.",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) { waitsForHandler(t, open()) })
			t.Virtual(func(t *conform.T) { refusedHandler(t, open()) })
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
		Source:   "controller-runtime pkg/internal/controller/controller.go: Controller.Start",
		Contract: []string{"A controller starts once: every other Start returns an error and does nothing else, during the first as well as after it."},
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			j, q, src := taking(t, time.Second), newQueue(t, nil), adding(0)
			c := control(t, open(), Options{Reconciler: j, Queue: q.plain()})
			require.NoError(t, c.watch(src), "Watch failed before Start for no reason.")
			run := c.run(t)
			defer run.cancel()
			time.Sleep(time.Second)
			second := c.run(t)
			defer second.cancel()
			time.Sleep(time.Second)
			require.True(t, second.returned(), "A second Start, during the first, did not return.")
			require.Error(t, second.err, "A second Start, during the first, returned no error.")
			q.put("a", "b")
			time.Sleep(time.Minute)
			_, most, _ := j.load()
			require.Equal(t, 1, most, "After a second Start more requests are reconciled at once than allowed.")
			require.Equal(t, 2, j.total(), "After a second Start requests are not reconciled once each.")
			run.end()
			third := c.run(t)
			defer third.cancel()
			time.Sleep(time.Minute)
			require.True(t, third.returned(), "A Start of a controller that has ended did not return.")
			require.Error(t, third.err, "A Start of a controller that has ended returned no error.")
			started, _ := src.starts()
			require.Equal(t, 1, started, "A source was started more than once.")
			require.Equal(t, 1, q.shutDowns(), "Of three Starts, only the first may shut the queue down.")
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
			"During Start it starts each of them at once, with the ctx and the queue that the others got, does not wait for it to sync, and returns the first error of a source's Start. A source whose Start fails does not keep the others from being started.",
			"The ctx of their Start is done when ctx is, or when Start returns, and no sooner",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			j, q := taking(t, 0), newQueue(t, nil)
			c := control(t, open(), Options{Reconciler: j, Queue: q.plain(), CacheSyncTimeout: time.Minute})
			run := c.run(t)
			defer run.cancel()
			time.Sleep(time.Second)
			late := adding(time.Hour, "a")
			before := t.Elapsed()
			require.NoError(t, c.watch(late), "Watch failed during Start for no reason.")
			require.Equal(t, before, t.Elapsed(), "Watch waited for a source to sync.")
			time.Sleep(2 * time.Minute)
			started, ctx := late.starts()
			require.Equal(t, 1, started, "A source that was watched during Start was not started exactly once.")
			require.NoError(t, ctx.Err(), "The ctx of a source that came late was done although the controller runs.")
			require.Equal(t, 1, j.total(), "What a source added that came late was not reconciled.")
			good := adding(0, "b")
			err := c.watch(failing(0, errBoom), failing(time.Second, errLater), good)
			require.ErrorIs(t, err, errBoom, "Two sources could not be started during Start, and Watch did not return the error of the first.")
			started, _ = good.starts()
			require.Equal(t, 1, started, "The Start of a source failed, and Watch did not start the one behind it exactly once.")
			run.end()
			t.Wait()
			require.Error(t, ctx.Err(), "Start has returned, and the ctx of a source that came late is not done.")
		},
	},
	{
		Name:   "watch-while-starting",
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
			"A controller starts once: every other Start returns an error and does nothing else",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Copies(func(t *conform.T) { watchWhileStarting(t, open()) })
			meets(t, open())
		},
	},
}

var errLater = errors.New("boom, later")

// startsFirst has a Start that takes some time between two that do not, and notes when
// the sources are waited for.
func startsFirst(t *conform.T, s Subject) {
	var started atomic.Bool
	var early atomic.Int32
	wait := func(context.Context) error {
		if !started.Load() {
			early.Add(1)
		}
		return nil
	}
	slow := &source{onSync: wait, onStart: func(ctx context.Context, _ Queue) error {
		_ = within(ctx, 5*time.Second)
		started.Store(true)
		return nil
	}}
	j, q := taking(t, 0), newQueue(t, nil)
	c := control(t, s, Options{Reconciler: j, Queue: q.plain(), CacheSyncTimeout: time.Minute})
	require.NoError(t, c.watch(&source{onSync: wait}, slow, &source{onSync: wait}), "Watch failed before Start for no reason.")
	run := c.run(t)
	defer run.cancel()
	q.put("a")
	time.Sleep(10 * time.Second)
	require.Equal(t, 1, j.total(), "All sources have started and synced, and a request was not reconciled.")
	require.Zero(t, early.Load(), "A source was waited for while the Start of another had not returned.")
	run.end()
}

// endsSources has a Start that fails because of one of its sources.
func endsSources(t *conform.T, s Subject, bad *source) {
	q, good := newQueue(t, nil), adding(0)
	c := control(t, s, Options{Reconciler: taking(t, 0), Queue: q.plain(), CacheSyncTimeout: 10 * time.Second})
	require.NoError(t, c.watch(good, bad), "Watch failed before Start for no reason.")
	run := c.run(t)
	defer run.cancel()
	time.Sleep(time.Minute)
	require.True(t, run.returned(), "A source did not start or sync, and Start did not give up after CacheSyncTimeout.")
	started, ctx := good.starts()
	require.Equal(t, 1, started, "A source was not started exactly once.")
	require.Error(t, ctx.Err(), "Start has given up and returned, and the ctx of a source's Start is not done.")
}

// oneTimeForBoth has a source that takes six seconds to start and six to sync.
func oneTimeForBoth(t *conform.T, s Subject) {
	slow := &source{
		onStart: func(ctx context.Context, _ Queue) error { return within(ctx, 6*time.Second) },
		onSync:  func(ctx context.Context) error { return within(ctx, 6*time.Second) },
	}
	j, q := taking(t, 0), newQueue(t, nil)
	c := control(t, s, Options{Reconciler: j, Queue: q.plain(), CacheSyncTimeout: 10 * time.Second})
	require.NoError(t, c.watch(slow), "Watch failed before Start for no reason.")
	run := c.run(t)
	defer run.cancel()
	q.put("a")
	time.Sleep(11 * time.Second)
	require.True(t, run.returned(), "A source took longer to start and to sync than CacheSyncTimeout, and Start did not give up.")
	require.Error(t, run.err, "A source took longer to start and to sync than CacheSyncTimeout, and Start returned no error.")
	require.Zero(t, j.total(), "A request was reconciled although a source had not synced.")
}

// givesUp has one source that never syncs among two that do.
func givesUp(t *conform.T, s Subject, timeout, want time.Duration) {
	j, q := taking(t, 0), newQueue(t, nil)
	c := control(t, s, Options{Reconciler: j, Queue: q.plain(), CacheSyncTimeout: timeout})
	require.NoError(t, c.watch(adding(time.Second, "a"), adding(24*time.Hour, "b"), adding(0, "c")), "Watch failed before Start for no reason.")
	run := c.run(t)
	defer run.cancel()
	time.Sleep(want - time.Second)
	require.False(t, run.returned(), "Start gave up on a source before CacheSyncTimeout (%v here).", want)
	time.Sleep(2 * time.Second)
	require.True(t, run.returned(), "A source did not sync, and Start did not give up after CacheSyncTimeout (%v here).", want)
	require.Error(t, run.err, "A source did not sync in time, and Start returned no error.")
	time.Sleep(time.Minute)
	require.Zero(t, j.total(), "A request was reconciled although a source had not synced.")
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
	require.Empty(t, done, "WaitForSync returned before the handler had heard of all objects.")
	i.sync()
	time.Sleep(time.Second)
	require.NotEmpty(t, done, "The handler has heard of all objects, and a second later WaitForSync has not returned.")
	require.NoError(t, <-done, "WaitForSync failed though the handler has synced.")

	never := s.For(newInformer(t))
	begin(t, never, ctx, q.plain())
	short, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	before := t.Elapsed()
	err := conform.Do(t.Actor, func() error { return never.WaitForSync(short) }, "WaitForSync(10 seconds)")
	require.Error(t, err, "A handler did not sync in time, and WaitForSync returned no error.")
	require.LessOrEqual(t, t.Elapsed()-before, 11*time.Second, "WaitForSync did not return soon after its ctx was done.")
}

// refusedHandler has an informer that takes no handler. Start may say so, or WaitForSync.
func refusedHandler(t *conform.T, s Subject) {
	i := newInformer(t)
	i.refuses = errBoom
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	src := s.For(i)
	call := t.Call("the source's Start(ctx, queue)")
	err := src.Start(ctx, newQueue(t, nil).plain())
	if err == nil {
		err = src.WaitForSync(ctx)
	}
	call.Returned("%v", err)
	require.ErrorIs(t, err, errBoom, "An informer refused the handler, and neither Start nor WaitForSync returned its error.")
}

// watchWhileStarting knows by the first reconcile that the sources which came before
// Start have been started. The others are started by Watch itself.
func watchWhileStarting(t *conform.T, s Subject) {
	const watchers, each = 3, 4
	q := newQueue(t, nil)
	worked := make(chan struct{}, 1)
	work := kit.ReconcilerFunc(func(context.Context, kit.Request) (kit.Result, error) {
		select {
		case worked <- struct{}{}:
		default:
		}
		return kit.Result{}, nil
	})
	c := control(t, s, Options{Reconciler: work, Queue: q.plain()})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	q.put("z")
	var refused atomic.Int32
	var starts, watches sync.WaitGroup
	sources := make([]*source, watchers*each)
	for w := range watchers {
		a := t.Named("watch %d", w)
		watches.Go(func() {
			for n := range each {
				sources[w*each+n] = adding(0, string(rune('a'+n)))
				assert.NoError(t, c.as(a).watch(sources[w*each+n]), "Watch failed for no reason.")
			}
		})
	}
	for _, who := range []string{"start 1", "start 2"} {
		a := t.Named("%s", who)
		starts.Go(func() {
			if err := c.as(a).start(ctx); err != nil {
				refused.Add(1)
			}
		})
	}
	watches.Wait()
	<-worked
	for _, src := range sources {
		started, _ := src.starts()
		require.Equal(t, 1, started, "A source was not started exactly once when Watch and Start met.")
	}
	cancel()
	starts.Wait()
	require.EqualValues(t, 1, refused.Load(), "Of two Starts at one moment, not exactly one was refused.")
}

// meets lets one Watch meet two Starts, many times: what lies between two adjacent steps of
// a subject is hit seldom. Nothing is written down, which would order the calls.
func meets(t *conform.T, s Subject) {
	const rounds = 10_000
	lost, began := 0, 0
	for range rounds {
		started, won := meet(t, s)
		if started != 1 {
			lost++
		}
		if won != 1 {
			began++
		}
	}
	require.Zero(t, lost, "In %d of %d rounds a source was not started exactly once when Watch and Start met.", lost, rounds)
	require.Zero(t, began, "In %d of %d rounds not exactly one of two Starts at one moment went on.", began, rounds)
}

// meet is one round. It says how often the source was started, and how many Starts went on:
// those that returned no error when they were told to stop.
func meet(t *conform.T, s Subject) (started int, won int32) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	worked := make(chan struct{}, 1)
	work := kit.ReconcilerFunc(func(context.Context, kit.Request) (kit.Result, error) {
		worked <- struct{}{}
		return kit.Result{}, nil
	})
	q, src := newQueue(t, nil), &source{}
	c := s.New(Options{Reconciler: work, Queue: q.plain()})
	var starts, watch sync.WaitGroup
	var fine, ready atomic.Int32
	together := func() { // the calls begin as nearly at one moment as can be
		for ready.Add(1); ready.Load() < 3; {
			runtime.Gosched()
		}
	}
	watch.Go(func() {
		together()
		_ = c.Watch(src)
	})
	for range 2 {
		starts.Go(func() {
			together()
			if c.Start(ctx) == nil {
				fine.Add(1)
			}
		})
	}
	watch.Wait()
	q.put("z")
	<-worked
	cancel()
	starts.Wait()
	started, _ = src.starts()
	return started, fine.Load()
}
