package reconcilertest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var hidden = slices.Concat(results, starting, ending, events)

// results is the part of the suite about what becomes of a request.
var results = []conform.Case[Subject]{
	{
		Name:   "terminal-error-is-final",
		Points: 3,
		Func:   "Controller.Start",
		Look:   []string{"what a worker of Controller.Start does with an error"},
		Rule:   "After a terminal error the controller does not add the request again and does not forget its failures. Somebody else may add it.",
		Why:    "No retry repairs a wrong spec. The next change of the object may, and that is an event.",
		Hint: []string{
			"Which of your calls on the queue makes a request come again? Do you need it here?",
			"kit.IsTerminal also finds a terminal error inside another one. After it: no AddRateLimited, no Forget, only Done.",
		},
		Source:   "controller-runtime pkg/reconcile/reconcile.go: TerminalError",
		Contract: []string{"There is a terminal error (kit.IsTerminal): nothing. The request is not added again, and its failures are not forgotten."},
		Check: func(t *conform.T, open func() Subject) {
			for _, priorities := range []bool{false, true} {
				t.Virtual(func(t *conform.T) { staysEnded(t, open(), priorities) })
			}
		},
	},
	{
		Name:   "requeue-counts-as-failure",
		Points: 2,
		Func:   "Controller.Start",
		Look:   []string{"what a worker of Controller.Start does with a Result"},
		Rule:   "Requeue adds the request when the rate limiter allows it, and does not forget. RequeueAfter takes precedence.",
		Why:    "This is why Requeue is deprecated: a controller that polls with it polls ever more rarely, because the rate limiter takes each poll for a failure.",
		Hint: []string{
			"Which call tells the rate limiter that nothing has failed? Does Requeue make it?",
			"Call AddRateLimited and nothing else. And look at RequeueAfter first.",
		},
		Source: "controller-runtime pkg/reconcile/reconcile.go: Result",
		Contract: []string{
			"Requeue is set: AddRateLimited, and no Forget.",
			"RequeueAfter is greater than zero: Forget, and AddAfter. The rate limiter does not affect that time.",
		},
		Check: func(t *conform.T, open func() Subject) {
			for _, priorities := range []bool{false, true} {
				t.Virtual(func(t *conform.T) { requeues(t, open(), priorities) })
				t.Virtual(func(t *conform.T) { requeuesNegative(t, open(), priorities) })
			}
		},
	},
	{
		Name:   "done-comes-last",
		Points: 2,
		Func:   "Controller.Start",
		Look:   []string{"what a worker of Controller.Start does after a reconcile"},
		Rule:   "Each request gets one Done, and the worker makes no call about it on the queue afterwards.",
		Why:    "After Done another worker may have the request and may have failed with it. A late Forget then wipes out a failure that is not its own.",
		Hint: []string{
			"Which worker may have the request after Done?",
			"First decide what becomes of the request, then call Done. A deferred Done does that by itself.",
		},
		Source: "the contract of this lab; controller-runtime pkg/internal/controller/controller.go: processNextWorkItem (defers Done)",
		Contract: []string{
			"It is the last call about the request that this worker makes on the queue: another worker may have the request by then. A request that was taken out and is not reconciled, because ctx is done, gets its Done, too.",
			"Start shuts the queue down, once",
		},
		Check: func(t *conform.T, open func() Subject) {
			for _, priorities := range []bool{false, true} {
				t.Virtual(func(t *conform.T) { doneOnce(t, open(), priorities) })
			}
			for _, priorities := range []bool{false, true} {
				t.Virtual(func(t *conform.T) { givesBack(t, open(), priorities) })
			}
		},
	},
	{
		Name:   "priority-is-kept",
		Points: 4,
		Func:   "Controller.Start",
		Look:   []string{"what a worker of Controller.Start does after a reconcile"},
		Rule:   "A request that is added again keeps its priority, after an error, Requeue and RequeueAfter alike, unless the Result sets another.",
		Why:    "After a restart everything old is in the queue with a low priority. What fails there must not come back level with the news.",
		Hint: []string{
			"How does a worker find out which priority a request had?",
			"Use GetWithPriority, and AddWithOpts with that priority. AddRateLimited and AddAfter take none.",
		},
		Source: "controller-runtime#3157",
		Contract: []string{
			"If the queue is a kit.PriorityQueue, a request that is added again keeps the priority with which it was taken out, unless Result.Priority sets another.",
			"Requeue is set: AddRateLimited, and no Forget.",
			"Otherwise: Forget. After that, in each of these cases, comes Done.",
			"Priority of that next try; nil keeps what the request had. It counts only where the queue knows priorities.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			comesAgainAsItWas(t, open())
			keepsItsOwn(t, open())
		},
	},
	{
		Name:   "errors-are-told",
		Points: 2,
		Func:   "Options.OnError",
		Look:   []string{"what a worker of Controller.Start does with an error"},
		Rule:   "OnError gets every error once, with its request, before the request is done: terminal errors and panics too, and nothing else.",
		Why:    "A terminal error is not tried again. If nobody reports it, nobody ever knows.",
		Hint: []string{
			"On which path do you forget it most easily?",
			"Use one place for all errors: after Reconcile, before Done. OnError may be nil.",
		},
		Source:   "the contract of this lab",
		Contract: []string{"OnError gets every error of a reconcile: terminal ones too, and those made from panics. A Requeue is no error. The worker calls it before it calls Done for the request; Controller.Reconcile, called by somebody else, does not. It may be nil."},
		Check: func(t *conform.T, open func() Subject) {
			for _, priorities := range []bool{false, true} {
				t.Virtual(func(t *conform.T) { tellsErrors(t, open(), priorities) })
				t.Virtual(func(t *conform.T) { tellsAtTheEnd(t, open(), priorities) })
			}
			t.Virtual(func(t *conform.T) { hasNobodyToTell(t, open()) })
		},
	},
	{
		Name:   "reconcile-timeout",
		Points: 4,
		Func:   "Controller.Reconcile",
		Rule:   "After ReconciliationTimeout the ctx of a reconcile is done, and nothing more happens: the request stays with its worker until Reconcile returns.",
		Why:    "A call into a cloud that never answers keeps a worker for ever, unless its ctx ends. But two workers at one object are worse than a slow one.",
		Hint: []string{
			"A context can end by itself after some time. Can you make a function return?",
			"Use context.WithTimeout for each call, and cancel it when the call has returned. 0 means no timeout.",
		},
		Source: "controller-runtime pkg/controller/controller.go: TypedOptions.ReconciliationTimeout",
		Contract: []string{
			"Reconcile calls Reconciler once, on the goroutine of the caller and in the same way as the workers do",
			"ReconciliationTimeout is the time after which the ctx of a Reconcile is done, counted from the beginning of that call. 0 means that there is no such limit.",
			"It returns when Reconciler has, however long that takes: a timeout ends the ctx, not the call.",
			"With a ReconciliationTimeout the ctx is done when Reconcile has returned.",
			"with a ctx that is derived from the given one and also ends after ReconciliationTimeout, and, unless RecoverPanic is false, with panics made errors.",
			"Reconcile does not touch the queue.",
			"The worker calls it before it calls Done for the request; Controller.Reconcile, called by somebody else, does not.",
			"When ctx is done, so is the ctx of every reconcile, which is derived from it.",
			"as long as Done comes when Reconcile has returned and not earlier.",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) { timesOut(t, open()) })
			t.Virtual(func(t *conform.T) { timesOutEachTime(t, open()) })
			t.Virtual(func(t *conform.T) { endsWithTheCall(t, open()) })
			t.Virtual(func(t *conform.T) { endsNoOther(t, open()) })
			t.Virtual(func(t *conform.T) { neverTimesOut(t, open()) })
			t.Virtual(func(t *conform.T) { panicsAfterTheEnd(t, open()) })
			t.Virtual(func(t *conform.T) { tellsNobody(t, open(), 0) })
			t.Virtual(func(t *conform.T) { tellsNobody(t, open(), time.Hour) })
		},
	},
	{
		Name:   "storm",
		Points: 4,
		Func:   "Controller.Start",
		Look:   []string{"the loop of a worker of Controller.Start"},
		Rule:   "While many goroutines add the same few requests, one worker at a time has each, and each is reconciled after its last add.",
		Why:    "Reconcilers keep state for an object without a lock. This rule is what allows it.",
		Hint: []string{
			"What do your workers share, beside the queue?",
			"Done comes last. Everything that you write for one request belongs in local variables.",
		},
		Source: `client-go util/workqueue/doc.go: "Stingy"`,
		Contract: []string{
			"Two workers never have the same request: the queue ensures that, as long as Done comes when Reconcile has returned and not earlier.",
			"A worker takes a request out of the queue, calls Reconcile",
		},
		Mode:  conform.Copies,
		Check: func(t *conform.T, open func() Subject) { storm(t, open()) },
	},
}

// requeuesNegative has Requeue together with a RequeueAfter whose time is over: time.Until of the
// past is below zero.
func requeuesNegative(t *conform.T, s Subject, priorities bool) {
	q := newQueue(t, doubling(time.Second))
	j := newJob(t, func(_ context.Context, _ string, nth int) (kit.Result, error) {
		if nth <= 2 {
			return kit.Result{Requeue: true, RequeueAfter: -time.Minute}, nil
		}
		return kit.Result{RequeueAfter: -time.Minute}, nil
	})
	run := control(t, s, Options{Reconciler: j, Queue: q.as(priorities)}).run(t)
	defer run.cancel()
	begun := t.Elapsed()
	j.expect("a", begun, begun+time.Second, begun+3*time.Second)
	q.put("a")
	time.Sleep(time.Hour)
	j.asExpected(t, "a", "The request shop/a was in "+kindOfQueue(priorities)+", and returned Requeue with RequeueAfter: -1m twice, and then RequeueAfter: -1m alone. RequeueAfter counts if it is greater than zero, so it comes again 1s and 2s later, when the rate limiter allows it, and no more.")
	run.end()
}

// failsInManyWays is the work of the requests in tellsErrors.
func failsInManyWays(_ context.Context, name string, nth int) (kit.Result, error) {
	switch {
	case name == "terminal":
		return kit.Result{}, kit.TerminalError(errBoom)
	case name == "panics" && nth == 1:
		panic("at line 17")
	case name == "fails" && nth <= 30:
		return kit.Result{}, errBoom
	case name == "ctx" && nth == 1:
		return kit.Result{}, fmt.Errorf("%w: a call of its own: %w", errBoom, context.Canceled)
	case name == "ctx" && nth == 2:
		return kit.Result{}, fmt.Errorf("%w: a call of its own: %w", errBoom, context.DeadlineExceeded)
	case name == "conflict" && nth == 1:
		return kit.Result{}, kit.NewConflict("pods", "shop/a-1")
	case name == "missing" && nth == 1:
		return kit.Result{}, kit.NewNotFound("configmaps", "shop/settings")
	case name == "requeues" && nth <= 2:
		return kit.Result{Requeue: true}, nil
	case name == "later" && nth == 1:
		return kit.Result{RequeueAfter: time.Second}, nil
	}
	return kit.Result{}, nil
}

// errorsDue is how often OnError is due for the requests of failsInManyWays.
var errorsDue = []struct {
	name  string
	times int
	why   string
}{
	{"ctx", 2, "its errors wrapped context.Canceled and context.DeadlineExceeded, of calls that it had made while the controller went on. OnError gets every error"},
	{"terminal", 1, "it had a terminal error. OnError gets every error, terminal ones too"},
	{"panics", 1, "it panicked. OnError gets every error, those made from panics too"},
	{"conflict", 1, "its error was a conflict. OnError gets every error"},
	{"missing", 1, "its error said that an object was not found. OnError gets every error"},
	{"fails", 30, "it failed 30 times in a row, with one error. OnError gets every error, however often"},
	{"requeues", 0, "it returned Requeue, and a Requeue is no error"},
	{"later", 0, "it returned RequeueAfter, which is no error"},
	{"succeeds", 0, "it succeeded"},
}

// count is how often a name is among others.
func count(names []string, name string) (n int) {
	for _, other := range names {
		if other == name {
			n++
		}
	}
	return n
}

func tellsErrors(t *conform.T, s Subject, priorities bool) {
	q := newQueue(t, func(int) time.Duration { return time.Second })
	var told []string
	done, panicked, terminal, listener := "", false, false, t.Named("OnError")
	onError := func(r kit.Request, err error) {
		listener.Note("is called: OnError(%v, %v)", r, err)
		told = append(told, r.Name)
		if !slices.Contains(q.Held(), r) {
			done = r.String()
			listener.Breaks("OnError is called for %v, and nobody is working on it: its Done has come.", r)
		}
		panicked = panicked || r.Name == "panics" && err != nil && !errors.Is(err, errBoom)
		terminal = terminal || r.Name == "terminal" && kit.IsTerminal(err)
	}
	run := control(t, s, Options{Reconciler: newJob(t, failsInManyWays), Queue: q.as(priorities), OnError: onError}).run(t)
	defer run.cancel()
	q.put("terminal", "panics", "fails", "ctx", "conflict", "missing", "requeues", "later", "succeeds")
	time.Sleep(time.Minute)
	run.end()
	for _, due := range errorsDue {
		got := count(told, due.name)
		t.Require(got == due.times, "OnError was called %s for shop/%s, which was in %s. It should have been %s: %s.", conform.Count(got, "time"), due.name, kindOfQueue(priorities), conform.Count(due.times, "time"), due.why)
	}
	t.Require(panicked, "The reconcile of shop/panics panicked, and OnError was called with the error of another one.")
	t.Require(terminal, "The reconcile of shop/terminal returned a terminal error, and what OnError got is none, by kit.IsTerminal: it gets the error as it is.")
	t.Require(done == "", "OnError was called for %s after its Done. The worker calls it before.", done)
}

// hasNobodyToTell has an error and no OnError.
func hasNobodyToTell(t *conform.T, s Subject) {
	q := newQueue(t, nil)
	run := control(t, s, Options{Reconciler: newJob(t, failsInManyWays), Queue: q.plain()}).run(t)
	defer run.cancel()
	q.put("terminal")
	time.Sleep(time.Minute)
	run.end()
}

// tellsAtTheEnd has a reconcile under way when ctx is done, which then fails.
func tellsAtTheEnd(t *conform.T, s Subject, priorities bool) {
	q, listener := newQueue(t, doubling(time.Hour)), t.Named("OnError")
	var told atomic.Int32
	j := newJob(t, func(ctx context.Context, name string, _ int) (kit.Result, error) {
		<-ctx.Done()
		switch name {
		case "ctx":
			return kit.Result{}, ctx.Err()
		case "panics":
			panic("at line 17")
		}
		return kit.Result{}, errBoom
	})
	onError := func(r kit.Request, err error) {
		listener.Note("is called: OnError(%v, %v)", r, err)
		told.Add(1)
	}
	run := control(t, s, Options{Reconciler: j, Queue: q.as(priorities), MaxConcurrentReconciles: 3, OnError: onError}).run(t)
	defer run.cancel()
	q.put("a", "ctx", "panics")
	time.Sleep(time.Minute)
	run.end()
	failed := j.total()
	t.Require(failed == 3, "The requests shop/a, shop/ctx and shop/panics were added a minute ago, there are three workers, and %s began.", conform.Count(failed, "reconcile"))
	t.Require(int(told.Load()) == failed, "OnError was called %s, and 3 were due. Three reconciles, of requests in %s, were under way when the ctx of Start was cancelled: one returned an error, one that of its ctx, and one panicked. Start has returned. OnError gets every error of a reconcile.", conform.Count(int(told.Load()), "time"), kindOfQueue(priorities))
}

// givesBack ends a controller while requests wait for its only worker.
func givesBack(t *conform.T, s Subject, priorities bool) {
	q := newQueue(t, nil)
	j := newJob(t, func(ctx context.Context, _ string, _ int) (kit.Result, error) {
		<-ctx.Done()
		return kit.Result{}, ctx.Err()
	})
	run := control(t, s, Options{Reconciler: j, Queue: q.as(priorities)}).run(t)
	defer run.cancel()
	q.put("a", "b", "c")
	time.Sleep(time.Minute)
	t.Require(j.total() == 1, "Three requests waited for one worker whose first reconcile does not end, and %d were reconciled. One was due.", j.total())
	run.end()
	t.Wait()
	t.Require(len(q.Held()) == 0, "Start has returned, and %v was taken out of %s and has not got its Done. A request that was taken out and is not reconciled, because ctx is done, gets its Done, too.", q.Held(), kindOfQueue(priorities))
	strays := q.strayWords()
	t.Require(len(strays) == 0, "Requests waited when the ctx of Start was cancelled. After Done for one of them, the queue was called with %s. Done is the last call about it.", strings.Join(strays, ", "))
	q.shutOnce("The ctx of Start was cancelled while requests waited in the queue")
}

// storm lets the queue be all that the workers share: what the Reconciler writes for a
// request it writes without a lock, and the race detector looks on.
func storm(t *conform.T, s Subject) {
	const adders, rounds, keys = 3, 60, 4
	q := newQueue(t, nil)
	state := make([]struct{ at, calls int64 }, keys)
	versions := make([]atomic.Int64, keys)
	work := kit.ReconcilerFunc(func(_ context.Context, r kit.Request) (kit.Result, error) {
		k := int(r.Name[0] - 'a')
		state[k].at = versions[k].Load()
		state[k].calls++
		if state[k].calls%5 == 0 {
			return kit.Result{}, errBoom
		}
		return kit.Result{Requeue: state[k].calls%7 == 0}, nil
	})
	run := control(t, s, Options{Reconciler: work, Queue: q.plain(), MaxConcurrentReconciles: 4}).run(t)
	defer run.cancel()
	var all sync.WaitGroup
	for range adders {
		all.Go(func() {
			for n := range rounds {
				k := n % keys
				versions[k].Add(1)
				q.put(string(rune('a' + k)))
			}
		})
	}
	all.Wait()
	q.Idle()
	run.end()
	for k := range keys {
		last := int64(adders * rounds / keys)
		t.Require(state[k].at == last, "The request %v was added %d times, and its last reconcile saw it after %d of these: after its last add it was not reconciled.", named(string(rune('a'+k))), last, state[k].at)
	}
}
