package reconcilertest

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// ending is the part of the suite about how a controller ends.
var ending = []conform.Case[Subject]{
	{
		Name:   "stop-lets-reconciles-finish",
		Points: 5,
		Func:   "Controller.Start",
		Rule:   "When ctx is done, so is the ctx of the reconciles under way, and Start waits for them: it returns after the last one, and none begins after that.",
		Why:    "A reconcile that is cut off after it has created a pod, and before it has recorded that, leaves a pod that nobody knows of.",
		Hint: []string{
			"What wakes a worker that waits in Get? And what waits for one that is in Reconcile?",
			"Use ShutDown for the first and a sync.WaitGroup for the second, in this order.",
			"The ctx of Reconcile is derived from that of Start, so it ends with it.",
		},
		Source: "controller-runtime pkg/internal/controller/controller.go: Controller.Start",
		Contract: []string{
			"ShutDown ignores all further Adds and lets Get hand out what is left.",
			"When ctx is done, so is the ctx of every reconcile, which is derived from it. Start shuts the queue down, once, waits for the reconciles that are under way, which may take their time, and returns nil, also if these fail.",
			"When Start has returned, Reconciler is not called again, and no goroutine of the controller runs for long.",
			"The ctx of their Start is done when ctx is",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			finishes(t, open())
			failsAtTheEnd(t, open())
			beginsNothingLate(t, open())
			waitsForWhatItBegan(t, open())
			waitsForThoseWhoAsk(t, open())
		},
	},
	{
		Name:   "stop-when-idle",
		Points: 2,
		Func:   "Controller.Start",
		Rule:   "A controller without work, or whose sources have not synced yet, ends soon after its ctx is done. If it ends without an error, the queue is shut down once.",
		Why:    "A rollout waits for the old process to end. A process that does not end is killed in the middle of its work.",
		Hint: []string{
			"Where are your workers while there is nothing to do? What makes them return?",
			"Get returns when the queue is shut down. And wait for sources with a ctx, too.",
		},
		Source: "the contract of this lab",
		Contract: []string{
			"Start shuts the queue down, once, waits for the reconciles that are under way, which may take their time, and returns nil",
			"If ctx is done while the sources start or sync, Start returns soon.",
			"Start does not wait for a Watch that is starting its sources.",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) { stopsIdle(t, open()) })
			t.Virtual(func(t *conform.T) { stopsSyncing(t, open()) })
			t.Virtual(func(t *conform.T) { stopsAtDeadline(t, open()) })
			t.Virtual(func(t *conform.T) { stopsBeforeItBegins(t, open()) })
			t.Virtual(func(t *conform.T) { endsBesideWatch(t, open()) })
		},
	},
}

func finishes(t *conform.T, s Subject) {
	release := make(chan struct{})
	told := make(chan time.Duration, 1)
	q := newQueue(t, nil)
	j := newJob(t, func(ctx context.Context, name string, _ int) (kit.Result, error) {
		if name != "busy" {
			return kit.Result{RequeueAfter: 48 * time.Hour}, nil
		}
		<-ctx.Done()
		told <- t.Elapsed()
		<-release
		return kit.Result{RequeueAfter: time.Second}, nil
	})
	c := control(t, s, Options{Reconciler: j, Queue: q.plain(), MaxConcurrentReconciles: 3})
	src := adding(t, 0)
	c.watches(t, src)
	run := c.run(t)
	defer run.cancel()
	q.put("idle", "busy")
	time.Sleep(10 * time.Second)
	early := run.returned()
	run.cancel()
	j.not("the ctx of Start is done")
	time.Sleep(time.Minute)
	late := run.returned()
	_, sourceCtx := src.starts()
	stopped := sourceCtx != nil && sourceCtx.Err() != nil
	q.put("too-late")
	close(release)
	time.Sleep(time.Minute)
	t.Require(!early, "The ctx of Start was not done, and Start returned within 10s.")
	t.Require(len(told) > 0, "The ctx of Start was cancelled after 10s, and 1m later that of a reconcile under way was not done.")
	t.OnTime("The ctx of a reconcile under way was done", <-told, 10*time.Second, "the ctx of Start was cancelled")
	t.Require(!late, "The ctx of Start was cancelled after 10s, and Start returned within 1m while shop/busy was still being reconciled.")
	t.Require(stopped, "The ctx of Start was cancelled after 10s, and 1m later that of a source's Start was not done.")
	t.Require(run.returned(), "The ctx of Start was cancelled, the last reconcile has ended 1m ago, and Start has not returned.")
	t.Require(run.err == nil, "The ctx of Start was cancelled, and Start returned %q. nil was due.", run.err)
	q.shutOnce("The ctx of Start was cancelled")
	time.Sleep(time.Hour)
	t.Require(j.total() == 2, "Two requests were reconciled or under way when the ctx of Start was cancelled, and %d more after that. None were due.", j.total()-2)
}

// failsAtTheEnd has a reconcile that fails when its ctx is done.
func failsAtTheEnd(t *conform.T, s Subject) {
	j := newJob(t, func(ctx context.Context, _ string, _ int) (kit.Result, error) {
		<-ctx.Done()
		return kit.Result{}, errBoom
	})
	q := newQueue(t, doubling(time.Hour))
	run := control(t, s, Options{Reconciler: j, Queue: q.plain()}).run(t)
	defer run.cancel()
	q.put("a")
	time.Sleep(time.Minute)
	run.end()
	t.Require(run.err == nil, "The ctx of Start was cancelled, the reconcile that was under way returned %q, and Start returned %q. nil was due: the error is one of the reconcile.", errBoom, run.err)
}

// beginsNothingLate has a ctx that is done when Start is called, and requests in the queue. Whether these are
// reconciled before Start returns is left open.
func beginsNothingLate(t *conform.T, s Subject) {
	q, j := newQueue(t, nil), taking(t, 0)
	c := control(t, s, Options{Reconciler: j, Queue: q.plain(), MaxConcurrentReconciles: 3})
	q.put("a", "b", "c")
	ctx, cancel := t.WithCancel(t.Context(), "Start's ctx")
	cancel()
	begun := make(chan int, 1) // how many reconciles had begun when Start returned
	t.Go("start", func(a *conform.Actor) {
		_ = c.as(a).start(ctx)
		j.not("Start has returned")
		begun <- j.total()
	})
	time.Sleep(time.Minute)
	t.Require(len(begun) > 0, "The ctx of Start was done before the call, and 1m later Start has not returned.")
	before := <-begun
	late := j.total() - before
	t.Require(late == 0, "The ctx of Start was done before the call. %s began before Start returned, and %d after that. When Start has returned, Reconciler is not called again.", conform.Count(before, "reconcile"), late)
}

// waitsForWhatItBegan has a reconcile that takes no lock and takes its time: where its goroutine counts itself,
// nothing orders that and the waiting of Start, and the race detector sees it.
func waitsForWhatItBegan(t *conform.T, s Subject) {
	reconciler := kit.ReconcilerFunc(func(context.Context, kit.Request) (kit.Result, error) {
		time.Sleep(time.Hour)
		return kit.Result{}, nil
	})
	q, begun := newQueue(t, nil), t.Elapsed()
	q.put("a")
	run := control(t, s, Options{Reconciler: reconciler, Queue: q.plain(), MaxConcurrentReconciles: 3}).run(t)
	defer run.cancel()
	time.Sleep(time.Minute)
	run.end()
	t.Require(run.at >= begun+time.Hour, "The ctx of Start was cancelled during a reconcile that takes 1h, and Start returned after %v. It waits for the reconciles that are under way.", run.at-begun)
}

// unhurried is a queue that takes its time, and no lock, before it looks what there is.
type unhurried struct{ Queue }

// Get is passed on a second later.
func (u unhurried) Get() (kit.Request, bool) {
	time.Sleep(time.Second)
	return u.Queue.Get()
}

// waitsForThoseWhoAsk has workers that are on their way into the queue, as waitsForWhatItBegan has a reconcile.
func waitsForThoseWhoAsk(t *conform.T, s Subject) {
	q := newQueue(t, nil)
	run := control(t, s, Options{Reconciler: taking(t, 0), Queue: unhurried{q.plain()}, MaxConcurrentReconciles: 3}).run(t)
	defer run.cancel()
	time.Sleep(time.Second / 2)
	run.end()
	t.Require(run.err == nil, "The ctx of Start was cancelled while the queue was empty, and Start returned %q. nil was due.", run.err)
}

func stopsIdle(t *conform.T, s Subject) {
	q := newQueue(t, nil)
	run := control(t, s, Options{Reconciler: taking(t, 0), Queue: q.plain(), MaxConcurrentReconciles: 3}).run(t)
	defer run.cancel()
	time.Sleep(time.Minute)
	run.cancel()
	time.Sleep(time.Minute)
	hasStopped(t, run, q, "Nothing was being reconciled when the ctx of Start was cancelled")
	t.Require(run.err == nil, "The ctx of Start was cancelled, and Start returned %q. nil was due.", run.err)
}

// hasStopped requires that Start, whose ctx has been done for a minute, has returned and has shut the queue
// down. The sentence says what has happened.
func hasStopped(t *conform.T, run *process, q queue, sentence string) {
	ended := run.returned()
	if !ended {
		q.ShutDown() // so that this bubble can end
	}
	t.Require(ended, "%s, and 1m later Start has not returned.", sentence)
	q.shutAsItEnds(run.err, sentence)
}

// stopsAtDeadline has a ctx that nobody cancels: it is done at its deadline.
func stopsAtDeadline(t *conform.T, s Subject) {
	q := newQueue(t, nil)
	ctx, cancel := t.WithTimeout(t.Context(), time.Minute, "Start's ctx")
	run := control(t, s, Options{Reconciler: taking(t, 0), Queue: q.plain()}).runIn(t, ctx, cancel)
	defer run.cancel()
	time.Sleep(2 * time.Minute)
	hasStopped(t, run, q, "The ctx of Start was done at its deadline")
	t.Require(run.err == nil, "The ctx of Start was done at its deadline, and Start returned %q. nil was due, as for every ctx that is done.", run.err)
}

// stopsBeforeItBegins has a ctx that is done when Start is called. Whether that is an error is left
// open.
func stopsBeforeItBegins(t *conform.T, s Subject) {
	q := newQueue(t, nil)
	c := control(t, s, Options{Reconciler: taking(t, 0), Queue: q.plain()})
	c.watches(t, adding(t, 0, "a"))
	ctx, cancel := t.WithCancel(t.Context(), "Start's ctx")
	cancel()
	run := c.runIn(t, ctx, cancel)
	time.Sleep(time.Minute)
	hasStopped(t, run, q, "The ctx of Start was done before the call")
}

// stopsSyncing has a source that needs a second to notice that its ctx is done. It has added a request,
// and there are no workers yet.
func stopsSyncing(t *conform.T, s Subject) {
	q := newQueue(t, nil)
	src := adding(t, 12*time.Hour, "a")
	hear := src.onSync
	src.onSync = func(ctx context.Context) error {
		err := hear(ctx)
		time.Sleep(time.Second)
		return err
	}
	c := control(t, s, Options{Reconciler: taking(t, 0), Queue: q.plain(), CacheSyncTimeout: 24 * time.Hour})
	c.watches(t, src)
	run := c.run(t)
	defer run.cancel()
	time.Sleep(time.Minute)
	run.cancel()
	time.Sleep(time.Minute)
	t.Require(run.returned(), "A source was still syncing when the ctx of Start was cancelled, and 1m later Start has not returned.")
	q.shutAsItEnds(run.err, "The ctx of Start was cancelled while a source was still syncing")
}
