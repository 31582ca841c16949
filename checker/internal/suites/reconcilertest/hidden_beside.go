package reconcilertest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file has sources that differ beside each other: one fails, blocks or comes late, and the cases
// look at what becomes of the others.

// silent is a source that never syncs, and says nothing about that when its ctx is done.
func silent(t *conform.T) *source {
	return (&source{onSync: func(ctx context.Context) error { <-ctx.Done(); return nil }}).shown(t)
}

// endsAt notes when a ctx was done.
type endsAt struct {
	mu sync.Mutex
	at time.Duration // 0 as long as it is not
}

func (e *endsAt) watch(t *conform.T, ctx context.Context) {
	context.AfterFunc(ctx, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.at = t.Elapsed()
	})
}

func (e *endsAt) read() time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.at
}

// outlivesAFailure has a source that fails at once, and one whose Start takes ten seconds, whatever becomes of its
// ctx. Start may return before that, and may not.
func outlivesAFailure(t *conform.T, s Subject) {
	var ended endsAt
	slow := (&source{onStart: func(ctx context.Context, _ Queue) error {
		ended.watch(t, ctx)
		time.Sleep(10 * time.Second)
		return nil
	}}).shown(t)
	c := control(t, s, Options{Reconciler: taking(t, 0), Queue: newQueue(t, nil).plain(), CacheSyncTimeout: time.Minute})
	c.watches(t, slow, failing(t, 0, errBoom))
	run := c.run(t)
	defer run.cancel()
	time.Sleep(time.Minute + time.Second)
	t.Require(run.returned(), "The Start of a source failed, CacheSyncTimeout is 1m, and 1s after that Start has not returned.")
	early := ended.read() > 0 && ended.read() < run.at
	t.Require(!early, "The Start of a source failed, and Start returned after %v. The ctx of another source's Start was done after %v: it is done when ctx is, or when Start returns, and no sooner.", run.at, ended.read())
}

// failsAmongOthers has a source that fails in its Start or its WaitForSync, with one of two errors, among two that
// do not. n is one of 18 ways; in two thirds of them a source before it, or behind it, never syncs.
func failsAmongOthers(t *conform.T, s Subject, n int) {
	why := errBoom
	switch n / 6 {
	case 1:
		why = fmt.Errorf("%w: a call of its own: %w", errBoom, context.Canceled)
	case 2:
		why = fmt.Errorf("%w: a call of its own: %w", errBoom, context.DeadlineExceeded)
	}
	what, bad := "Start", (&source{onStart: func(context.Context, Queue) error { return why }}).shown(t)
	if n%2 == 1 {
		what, bad = "WaitForSync", (&source{onSync: func(context.Context) error { return why }}).shown(t)
	}
	times := [][]time.Duration{{time.Second, 0}, {time.Second, 24 * time.Hour}, {24 * time.Hour, time.Second}}[n%6/2]
	j, q := taking(t, 0), newQueue(t, nil)
	j.not("a source has failed")
	c := control(t, s, Options{Reconciler: j, Queue: q.plain(), CacheSyncTimeout: time.Minute})
	first, last := adding(t, times[0], "a"), adding(t, times[1], "b")
	c.watches(t, first, bad, last)
	run := c.run(t)
	defer run.cancel()
	time.Sleep(time.Minute + time.Second)
	t.Require(j.total() == 0, "The %s of the second of three sources failed, and %s began after that. None may be: Start returns an error.", what, conform.Count(j.total(), "reconcile"))
	t.Require(run.returned(), "The %s of the second of three sources failed, CacheSyncTimeout is 1m, and 1s after that Start has not returned.", what)
	t.Require(errors.Is(run.err, errBoom), "The %s of the second of three sources returned the error %q, the ctx of Start was not done, and Start returned %s, which does not wrap it.", what, why, conform.Said(run.err))
	tries, _ := bad.starts()
	t.Require(tries == 1, "The %s of the second of three sources returned the error %q, and that source was started %s. A source is started once.", what, why, conform.Count(tries, "time"))
	one, _ := first.starts()
	two, _ := last.starts()
	t.Require(one == 1 && two == 1, "The %s of the second of three sources failed. The first was started %s, and the third %s. A source whose Start fails does not keep the others from being started.", what, conform.Count(one, "time"), conform.Count(two, "time"))
}

// allFail has sources whose Starts all fail, so that each needs a place for its error.
func allFail(t *conform.T, s Subject) {
	const many = 5
	sources := make([]*source, many)
	c := control(t, s, Options{Reconciler: taking(t, 0), Queue: newQueue(t, nil).plain(), CacheSyncTimeout: time.Minute})
	for n := range sources {
		sources[n] = failing(t, 0, fmt.Errorf("source %d: %w", n+1, errBoom))
		c.watches(t, sources[n])
	}
	run := c.run(t)
	defer run.cancel()
	time.Sleep(time.Minute + time.Second)
	for n, src := range sources {
		started, _ := src.starts()
		t.Require(started == 1, "The Starts of %d sources all fail, and source %d was started %s. Once was due: a source whose Start fails does not keep the others from being started.", many, n+1, conform.Count(started, "time"))
	}
	t.Require(run.returned(), "The Starts of %d sources all failed, CacheSyncTimeout is 1m, and 1s after that Start has not returned.", many)
	t.Require(errors.Is(run.err, errBoom), "The Starts of %d sources all failed, and Start returned %s, which wraps none of their errors.", many, conform.Said(run.err))
}

// byValue is a Source that is no pointer, and that cannot be compared with another one.
type byValue struct {
	Source
	_ []func()
}

// takesValues has one Source of such a type before Start, and one during it.
func takesValues(t *conform.T, s Subject) {
	c := control(t, s, Options{Reconciler: taking(t, 0), Queue: newQueue(t, nil).plain()})
	early, late := (&source{}).shown(t), (&source{}).shown(t)
	value := caught(func() { c.watches(t, byValue{Source: early}) })
	t.Require(value == nil, "Watch was called before Start with a Source that is a struct with a slice of functions, and panicked: %v. A Source need not be comparable.", value)
	run := c.run(t)
	defer run.cancel()
	time.Sleep(time.Second)
	value = caught(func() { c.watches(t, byValue{Source: late}) })
	t.Require(value == nil, "Watch was called during Start with a Source that is a struct with a slice of functions, and panicked: %v. A Source need not be comparable.", value)
	one, _ := early.starts()
	two, _ := late.starts()
	t.Require(one == 1 && two == 1, "Watch was called with a Source before Start, and with another one during it. The first was started %s, and the second %s. Once each was due.", conform.Count(one, "time"), conform.Count(two, "time"))
	run.end()
}

// endsBesideWatch ends a controller while Watch starts a source whose Start blocks.
func endsBesideWatch(t *conform.T, s Subject) {
	q, release := newQueue(t, nil), make(chan struct{})
	c := control(t, s, Options{Reconciler: taking(t, 0), Queue: q.plain()})
	run := c.run(t)
	defer run.cancel()
	time.Sleep(time.Second)
	blocked := (&source{onStart: func(context.Context, Queue) error { <-release; return nil }}).shown(t)
	t.Go("watch", func(a *conform.Actor) { _ = c.as(a).watch(blocked) })
	time.Sleep(time.Second)
	run.cancel()
	time.Sleep(time.Minute)
	ended := run.returned()
	close(release)
	t.Require(ended, "Watch was called during Start with a source whose Start does not return. Then the ctx of the controller's Start was cancelled, nothing was being reconciled, and 1m later Start has not returned. It does not wait for a Watch that is starting its sources.")
	t.Require(run.err == nil, "The ctx of Start was cancelled while Watch was starting a source, and Start returned %s. nil was due.", conform.Said(run.err))
}

// waitsInOneGo has a source that syncs after half of the time there is, and looks at the ctx of its WaitForSync.
func waitsInOneGo(t *conform.T, s Subject, option time.Duration) {
	limit := syncLimit(option)
	var ended endsAt
	var asked atomic.Int32
	src := adding(t, limit/2, "a")
	wait := src.onSync
	src.onSync = func(ctx context.Context) error {
		if asked.Add(1) == 1 {
			ended.watch(t, ctx)
		}
		return wait(ctx)
	}
	c := control(t, s, Options{Reconciler: taking(t, 0), Queue: newQueue(t, nil).plain(), CacheSyncTimeout: option})
	c.watches(t, src)
	begun := t.Elapsed()
	run := c.run(t)
	defer run.cancel()
	time.Sleep(limit * 6 / 10)
	early := ended.read() > 0 && ended.read()-begun < limit/2
	took := ended.read() - begun
	run.end()
	t.Require(!early, "The only source syncs after %v, CacheSyncTimeout is %v, which gives it %v, and the ctx of its WaitForSync was done after %v. It is done when ctx is, or after CacheSyncTimeout. It may end earlier, but only once a source has failed or all have synced.", limit/2, option, limit, took)
	t.Require(asked.Load() == 1, "The only source syncs after %v, CacheSyncTimeout is %v, which gives it %v, and its WaitForSync was called %s. It is called at most once, and blocks.", limit/2, option, limit, conform.Count(int(asked.Load()), "time"))
}

// failsBesideBlocked has a source whose Start fails, and one whose Start blocks. If the one that blocks is
// started before it, it may not have been started at all.
func failsBesideBlocked(t *conform.T, s Subject, option time.Duration) {
	limit := syncLimit(option)
	release := make(chan struct{})
	blocked := (&source{onStart: func(context.Context, Queue) error { <-release; return nil }}).shown(t)
	bad := failing(t, 0, errBoom)
	c := control(t, s, Options{Reconciler: taking(t, 0), Queue: newQueue(t, nil).plain(), CacheSyncTimeout: option})
	c.watches(t, bad, blocked)
	run := c.run(t)
	defer run.cancel()
	time.Sleep(limit + time.Second)
	gaveUp := run.returned()
	failed, _ := bad.starts()
	run.cancel()
	close(release)
	t.Require(gaveUp, "The Start of one source failed, that of another does not return, CacheSyncTimeout is %v, which gives them %v, and 1s after that the Start of the controller has not returned.", option, limit)
	t.Require(failed == 0 || errors.Is(run.err, errBoom), "The Start of one source returned the error %q, that of another does not return, and when the time for syncing was over Start returned %s, which does not wrap that error.", errBoom, conform.Said(run.err))
}

// countsFromStart calls Start an hour after New and Watch.
func countsFromStart(t *conform.T, s Subject, option time.Duration) {
	limit := syncLimit(option)
	needs, looks := limit*6/10, limit*8/10
	j, q := taking(t, 0), newQueue(t, nil)
	c := control(t, s, Options{Reconciler: j, Queue: q.plain(), CacheSyncTimeout: option})
	c.watches(t, adding(t, needs, "a"))
	time.Sleep(time.Hour)
	run := c.run(t)
	defer run.cancel()
	time.Sleep(looks)
	t.Require(!run.returned(), "Start was called 1h after New and Watch. CacheSyncTimeout is %v, which gives the sources %v, the only one needs %v to sync, and Start returned within %v: the time is for the sources to start and to sync, and they have started with Start.", option, limit, needs, looks)
	t.Require(j.total() == 1, "Start was called 1h after New and Watch, the only source had synced after %v, and after %v shop/a was reconciled %d times. Once was due.", needs, looks, j.total())
	run.end()
}

// goesOn requires that Start does not end, and ctx is not done, because a source failed that came late.
func goesOn(t *conform.T, run *process, ctx context.Context) {
	time.Sleep(time.Second)
	t.Require(!run.returned(), "Watch was called during Start with a source whose Start failed, and Start returned. Watch returns that error, and Start blocks until its ctx is done.")
	t.Require(ctx.Err() == nil, "Watch was called during Start with a source whose Start failed, and the ctx of another source's Start is done. It is done when ctx is, or when Start returns, and no sooner.")
}

// startsWithPriorities has a source add a request with a priority to a queue that keeps it.
func startsWithPriorities(t *conform.T, s Subject) {
	var knows atomic.Bool
	q, low := newQueue(t, nil), -100
	src := (&source{onStart: func(_ context.Context, queue Queue) error {
		if p, ok := queue.(kit.PriorityQueue[kit.Request]); ok {
			knows.Store(true)
			p.AddWithOpts(kit.AddOpts{Priority: &low}, named("a"))
		}
		return nil
	}}).shown(t)
	c := control(t, s, Options{Reconciler: taking(t, 0), Queue: q})
	c.watches(t, src)
	run := c.run(t)
	defer run.cancel()
	time.Sleep(time.Second)
	run.end()
	t.Require(knows.Load(), "Options.Queue is a kit.PriorityQueue, and the queue that a source got is none. Sources add to Options.Queue, or to something that passes everything on to it, priorities included.")
	got := q.handedOut("a")
	t.Require(slices.Equal(got, []int{low}), "A source added shop/a with priority %d, and it was handed out with the priorities %v. Once, with its own, was due.", low, got)
}

// sameQueueForAll has one source before Start and one during it.
func sameQueueForAll(t *conform.T, s Subject, priorities bool) {
	var mu sync.Mutex
	var knows []bool
	look := func(_ context.Context, q Queue) error {
		mu.Lock()
		defer mu.Unlock()
		_, ok := q.(kit.PriorityQueue[kit.Request])
		knows = append(knows, ok)
		return nil
	}
	c := control(t, s, Options{Reconciler: taking(t, 0), Queue: newQueue(t, nil).as(priorities)})
	c.watches(t, (&source{onStart: look}).shown(t))
	run := c.run(t)
	defer run.cancel()
	time.Sleep(time.Second)
	c.watches(t, (&source{onStart: look}).shown(t))
	run.end()
	t.Require(len(knows) == 2, "Of two sources, one before Start and one during it, %d were started.", len(knows))
	t.Require(knows[0] == knows[1], "Options.Queue is %s. A source before Start and one during it each got a queue. Whether that is a kit.PriorityQueue: %t for the first, and %t for the second. Watch starts a source with the queue that the others got.", kindOfQueue(priorities), knows[0], knows[1])
}

// watchWhileItSyncs calls Watch while Start waits for a source, which then syncs. Watch may wait until then.
func watchWhileItSyncs(t *conform.T, s Subject) {
	w := beginsToSync(t, s)
	defer w.run.cancel()
	w.result <- nil
	w.q.put("a")
	<-w.worked
	err := <-w.watched
	t.Require(err == nil, "Watch was called while Start waited for another source, and returned %q. No source has failed: nil was due.", err)
	t.Require(w.started == 1, "Watch was called while Start waited for another source. When Watch returned, it had started its own source %s. Once was due: Watch starts it, or waits until it can, and returns the error of its Start.", conform.Count(w.started, "time"))
	n, ctx := w.late.starts()
	t.Require(n == 1, "Watch was called while Start waited for another source, which has synced since. Watch has returned, and the source was started %s. Once was due.", conform.Count(n, "time"))
	t.Require(ctx.Err() == nil, "Watch was called while Start waited for another source, which has synced since. The controller works, and the ctx that Watch started its source with is done. It is done when ctx is, or when Start returns, and no sooner.")
	w.run.end()
}

// endsTheLateOne calls Watch while Start waits for a source, which then fails. If Watch waited until then,
// what it does is left open.
func endsTheLateOne(t *conform.T, s Subject) {
	w := beginsToSync(t, s)
	defer w.run.cancel()
	started, _ := w.late.starts()
	w.result <- errBoom
	<-w.run.done
	t.Require(w.run.err != nil, "The WaitForSync of a source failed, and Start returned nil. An error was due.")
	<-w.watched
	t.Wait()
	if started == 0 {
		return
	}
	_, ctx := w.late.starts()
	t.Require(ctx.Err() != nil, "Watch started a source while Start waited for another one. That one failed, Start returned %q, and the ctx of the source that Watch had started is not done.", w.run.err)
}

// syncing is a controller whose Start waits for a source, when Watch has been called with another one.
type syncing struct {
	q       queue
	run     *process
	late    *source
	result  chan error    // what the WaitForSync of the first source is to return
	watched chan error    // what Watch has returned
	started int           // how often late was started when Watch returned; written before watched is sent
	worked  chan struct{} // a request was reconciled
}

// beginsToSync returns when Watch has started its source, or waits.
func beginsToSync(t *conform.T, s Subject) *syncing {
	w := &syncing{q: newQueue(t, nil), result: make(chan error, 1), watched: make(chan error, 1), worked: make(chan struct{}, 1)}
	asked := make(chan struct{})
	ask := sync.OnceFunc(func() { close(asked) })
	first := (&source{onSync: func(ctx context.Context) error {
		ask()
		select {
		case err := <-w.result:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}}).shown(t)
	work := newJob(t, func(context.Context, string, int) (kit.Result, error) {
		w.worked <- struct{}{}
		return kit.Result{}, nil
	})
	c := control(t, s, Options{Reconciler: work, Queue: w.q.plain()})
	c.watches(t, first)
	w.run = c.run(t)
	<-asked
	w.late = (&source{}).shown(t)
	t.Go("watch", func(a *conform.Actor) {
		err := c.as(a).watch(w.late)
		w.started, _ = w.late.starts()
		w.watched <- err
	})
	t.Wait()
	return w
}

// watchersMeet has some sources come one after the other, and then several at one moment, all before Start:
// a list that has room for one more is where two of them can meet. Nothing is written down, as in meets.
func watchersMeet(t *conform.T, s Subject) {
	const rounds = 150
	lost := 0
	for range rounds {
		for _, started := range watchersOnce(t, s) {
			if started != 1 {
				lost++
			}
		}
	}
	t.Require(lost == 0, "In %d rounds Watch was called by several goroutines at one moment, before Start, and %d sources were not started once, but never or twice.", rounds, lost)
}

// watchersOnce is one round. It says how often each source was started.
func watchersOnce(t *conform.T, s Subject) []int {
	const before, atOnce = 3, 3
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	worked := make(chan struct{}, 1)
	work := kit.ReconcilerFunc(func(context.Context, kit.Request) (kit.Result, error) {
		worked <- struct{}{}
		return kit.Result{}, nil
	})
	q := newQueue(t, nil)
	c := s.New(Options{Reconciler: work, Queue: q.plain()})
	sources := make([]*source, before+atOnce)
	var watches, start sync.WaitGroup
	together := probe.Together(atOnce)
	for n := range sources {
		sources[n] = &source{}
		if n < before {
			_ = c.Watch(sources[n])
			continue
		}
		watches.Go(func() {
			together()
			_ = c.Watch(sources[n])
		})
	}
	watches.Wait()
	start.Go(func() { _ = c.Start(ctx) })
	q.put("z")
	<-worked
	cancel()
	start.Wait()
	var starts []int
	for _, src := range sources {
		n, _ := src.starts()
		starts = append(starts, n)
	}
	return starts
}
