package reconcilertest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"

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
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := newQueue(t, doubling(time.Second))
			j := newJob(t, func(_ context.Context, name string, nth int) (kit.Result, error) {
				switch {
				case nth == 1:
					return kit.Result{}, errBoom
				case name == "wrapped":
					return kit.Result{RequeueAfter: time.Second}, fmt.Errorf("no such image: %w", kit.TerminalError(errBoom))
				}
				return kit.Result{}, kit.TerminalError(errBoom)
			})
			run := control(t, open(), Options{Reconciler: j, Queue: q.plain()}).run(t)
			defer run.cancel()
			for _, name := range []string{"bare", "wrapped"} {
				q.put(name)
				time.Sleep(24 * time.Hour)
				require.Len(t, j.times(name), 2, "A request was not left alone after a terminal error (%s).", name)
				require.Equal(t, 1, q.NumRequeues(named(name)), "After one failure and one terminal error (%s) the rate limiter does not count exactly the one.", name)
				q.put(name)
				t.Wait()
				require.Len(t, j.times(name), 3, "A request that was added after a terminal error (%s) was not reconciled.", name)
			}
			run.end()
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
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := newQueue(t, doubling(time.Second))
			j := newJob(t, func(_ context.Context, _ string, nth int) (kit.Result, error) {
				if nth == 4 {
					return kit.Result{Requeue: true, RequeueAfter: 20 * time.Second}, nil
				}
				return kit.Result{Requeue: nth < 6}, nil
			})
			run := control(t, open(), Options{Reconciler: j, Queue: q.plain()}).run(t)
			defer run.cancel()
			q.put("a")
			time.Sleep(6 * time.Second)
			require.Equal(t, 3, q.NumRequeues(named("a")), "Three times Requeue are not three in the rate limiter.")
			time.Sleep(time.Hour)
			require.Equal(t, seconds(0, 1, 3, 7, 27, 28), j.times("a"),
				"Requeue three times, RequeueAfter with Requeue, and Requeue once more did not come to 1, 2, 4, 20 and 1 seconds.")
			run.end()
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
		Source:   "the contract of this lab; controller-runtime pkg/internal/controller/controller.go: processNextWorkItem (defers Done)",
		Contract: []string{"It is the last call about the request that this worker makes on the queue: another worker may have the request by then. A request that was taken out and is not reconciled, because ctx is done, gets its Done, too."},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				q := newQueue(t, doubling(time.Second))
				j := newJob(t, func(_ context.Context, _ string, nth int) (kit.Result, error) {
					switch nth {
					case 1:
						return kit.Result{}, errBoom
					case 2:
						return kit.Result{Requeue: true}, nil
					case 3:
						return kit.Result{RequeueAfter: time.Second}, nil
					case 4:
						return kit.Result{}, kit.TerminalError(errBoom)
					}
					return kit.Result{}, nil
				})
				run := control(t, open(), Options{Reconciler: j, Queue: q.plain()}).run(t)
				defer run.cancel()
				q.put("a")
				time.Sleep(time.Hour)
				q.put("a")
				time.Sleep(time.Hour)
				require.Equal(t, 5, j.total(), "A request was not reconciled as often as it had to be.")
				require.Empty(t, q.strayWords(), "The queue heard something about a request after its Done.")
				run.end()
			})
			t.Virtual(func(t *conform.T) { givesBack(t, open()) })
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
		Source:   "controller-runtime#3157",
		Contract: []string{"If the queue is a kit.PriorityQueue, a request that is added again keeps the priority with which it was taken out, unless Result.Priority sets another."},
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			three, zero := 3, 0
			q := newQueue(t, func(int) time.Duration { return time.Hour })
			j := newJob(t, func(_ context.Context, _ string, nth int) (kit.Result, error) {
				switch nth {
				case 1:
					return kit.Result{}, errBoom
				case 2:
					return kit.Result{RequeueAfter: time.Second}, nil
				case 3:
					return kit.Result{Requeue: true}, nil
				case 4:
					return kit.Result{RequeueAfter: time.Second, Priority: &three}, nil
				case 5:
					return kit.Result{}, errBoom
				case 6:
					return kit.Result{Requeue: true, Priority: &zero}, nil
				}
				return kit.Result{}, nil
			})
			run := control(t, open(), Options{Reconciler: j, Queue: q}).run(t)
			defer run.cancel()
			q.Put(-7, named("a"))
			time.Sleep(24 * time.Hour)
			require.Equal(t, []string{"a:-7", "a:-7", "a:-7", "a:-7", "a:3", "a:3", "a:0"}, q.handedOut(),
				"After an error, RequeueAfter, Requeue, a Result with priority 3, an error and a Result with priority 0, a request did not have the priority it had to have each time.")
			require.Equal(t, seconds(0, 3600, 3601, 7201, 7202, 10802, 14402), j.times("a"),
				"In a queue with priorities, the rate limiter says an hour, and a request did not come an hour after each error and each Requeue, and a second after each RequeueAfter.")
			run.end()
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
		Contract: []string{"OnError gets every error of a reconcile: terminal ones too, and those made from panics. The worker calls it before it calls Done for the request. It may be nil."},
		Mode:     conform.Virtual,
		Check:    func(t *conform.T, open func() Subject) { tellsErrors(t, open()) },
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
			"with a ctx derived from the given one, which ends after ReconciliationTimeout",
			"as long as Done comes when Reconcile has returned and not earlier.",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) { timesOut(t, open()) })
			t.Virtual(func(t *conform.T) { neverTimesOut(t, open()) })
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

func tellsErrors(t *conform.T, s Subject) {
	q := newQueue(t, func(int) time.Duration { return time.Second })
	var told []string
	var busy []bool
	panicked := false
	onError := func(r kit.Request, err error) {
		told = append(told, r.Name)
		busy = append(busy, slices.Contains(q.Held(), r))
		panicked = panicked || err != nil && !errors.Is(err, errBoom)
	}
	work := func(_ context.Context, name string, nth int) (kit.Result, error) {
		switch {
		case name == "terminal":
			return kit.Result{}, kit.TerminalError(errBoom)
		case name == "panics" && nth == 1:
			panic("at line 17")
		case name == "fails" && nth <= 2:
			return kit.Result{}, errBoom
		}
		return kit.Result{}, nil
	}
	run := control(t, s, Options{Reconciler: newJob(t, work), Queue: q.plain(), OnError: onError}).run(t)
	defer run.cancel()
	q.put("terminal", "panics", "fails", "succeeds")
	time.Sleep(time.Minute)
	run.end()
	slices.Sort(told)
	require.Equal(t, []string{"fails", "fails", "panics", "terminal"}, told, "OnError did not get every error exactly once.")
	require.True(t, panicked, "For a panic, OnError got another error.")
	require.NotContains(t, busy, false, "OnError was called after Done of the request.")

	q = newQueue(t, nil)
	run = control(t, s, Options{Reconciler: newJob(t, work), Queue: q.plain()}).run(t)
	defer run.cancel()
	q.put("terminal")
	time.Sleep(time.Minute)
	run.end()
}

func timesOut(t *conform.T, s Subject) {
	q := newQueue(t, nil)
	var ended []time.Duration
	j := newJob(t, func(ctx context.Context, _ string, nth int) (kit.Result, error) {
		if nth > 1 {
			return kit.Result{}, nil
		}
		<-ctx.Done()
		ended = append(ended, t.Elapsed())
		time.Sleep(20 * time.Second) // it does not heed that
		return kit.Result{}, nil
	})
	c := control(t, s, Options{Reconciler: j, Queue: q.plain(), MaxConcurrentReconciles: 2, ReconciliationTimeout: 10 * time.Second})
	run := c.run(t)
	defer run.cancel()
	q.put("a")
	time.Sleep(5 * time.Second)
	q.put("a")
	time.Sleep(time.Minute)
	_, _, doubled := j.load()
	require.False(t, doubled, "A reconcile went on after its timeout, and the same request was reconciled beside it.")
	require.Equal(t, seconds(0, 30), j.times("a"), "A request that was added during a reconcile that took 30 seconds was not reconciled when that had ended.")
	run.end()
	require.Equal(t, seconds(10), ended, "The ctx of a reconcile was not done after ReconciliationTimeout.")
	before := t.Elapsed()
	j.do = func(ctx context.Context, _ string, _ int) (kit.Result, error) {
		_ = within(ctx, time.Hour)
		return kit.Result{RequeueAfter: time.Minute}, nil
	}
	result, err := c.reconcile(t.Context(), "b")
	require.NoError(t, err, "Reconcile failed though the Reconciler did not.")
	require.Equal(t, time.Minute, result.RequeueAfter, "Reconcile did not return the Result of the Reconciler.")
	require.Equal(t, 10*time.Second, t.Elapsed()-before, "Reconcile did not limit the ctx of the Reconciler to ReconciliationTimeout.")
}

type contextKey struct{}

func neverTimesOut(t *conform.T, s Subject) {
	q := newQueue(t, nil)
	var values []any
	j := newJob(t, func(ctx context.Context, _ string, _ int) (kit.Result, error) {
		values = append(values, ctx.Value(contextKey{}))
		return kit.Result{}, within(ctx, 24*time.Hour)
	})
	c := control(t, s, Options{Reconciler: j, Queue: q.plain()})
	_, err := c.reconcile(context.WithValue(t.Context(), contextKey{}, "mine"), "b")
	require.NoError(t, err, "The ctx of a reconcile was done within a day, and there was no ReconciliationTimeout.")
	require.Equal(t, []any{"mine"}, values, "The ctx of a reconcile was not made of the one that Reconcile was given.")
	endsWithItsCaller(t, s)
	run := c.run(t)
	defer run.cancel()
	q.put("a")
	time.Sleep(48 * time.Hour)
	require.Len(t, j.times("a"), 1, "The ctx of a reconcile was done within a day, and there was no ReconciliationTimeout.")
	run.end()
}

// endsWithItsCaller has a ReconciliationTimeout, and a caller's ctx that ends before it.
func endsWithItsCaller(t *conform.T, s Subject) {
	j := newJob(t, func(ctx context.Context, _ string, _ int) (kit.Result, error) {
		return kit.Result{}, within(ctx, 24*time.Hour)
	})
	c := control(t, s, Options{Reconciler: j, Queue: newQueue(t, nil).plain(), ReconciliationTimeout: time.Hour})
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errBoom)
	defer cancel()
	before := t.Elapsed()
	_, err := c.reconcile(ctx, "b")
	require.Equal(t, time.Minute, t.Elapsed()-before, "The ctx that Reconcile was given was done before ReconciliationTimeout, and that of the reconcile was not.")
	require.ErrorIs(t, err, context.DeadlineExceeded, "Reconcile did not return the error of the Reconciler.")
}

// givesBack ends a controller while requests wait for its only worker.
func givesBack(t *conform.T, s Subject) {
	q := newQueue(t, nil)
	j := newJob(t, func(ctx context.Context, _ string, _ int) (kit.Result, error) {
		<-ctx.Done()
		return kit.Result{}, ctx.Err()
	})
	run := control(t, s, Options{Reconciler: j, Queue: q.plain()}).run(t)
	defer run.cancel()
	q.put("a", "b", "c")
	time.Sleep(time.Minute)
	require.Equal(t, 1, j.total(), "Of three requests, one worker did not take exactly one.")
	run.end()
	require.Empty(t, q.Held(), "Start has returned, and a request that was taken out of the queue has not got its Done.")
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
		require.EqualValues(t, adders*rounds/keys, state[k].at, "A request was added and not reconciled any more after that.")
	}
}
