package reconcilertest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var public = []conform.Case[Subject]{
	{
		Name:   "success-forgets",
		Points: 3,
		Func:   "Controller.Start",
		Look:   []string{"what a worker of Controller.Start does after a reconcile"},
		Rule:   "After a successful reconcile the controller calls Forget and Done: the request comes again only when somebody adds it.",
		Why:    "The next failure of an object should be retried soon. If its failures of last month still count, it waits for a quarter of an hour.",
		Hint: []string{
			"Which two calls does a queue with a rate limiter expect for a finished request?",
			"Forget is for the rate limiter, Done is for the queue. Both are needed.",
		},
		Source: "controller-runtime pkg/internal/controller/controller.go: reconcileHandler",
		Contract: []string{
			"There is an error, and it is not terminal: AddRateLimited.",
			"Otherwise: Forget. After that, in each of these cases, comes Done.",
			"A worker takes a request out of the queue, calls Reconcile",
			"RequeueAfter, if greater than zero, is how long from now.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := newQueue(t, doubling(time.Second))
			j := newJob(t, func(_ context.Context, _ string, nth int) (kit.Result, error) {
				switch nth {
				case 1:
					return kit.Result{}, errBoom
				case 2:
					return kit.Result{RequeueAfter: -time.Second}, nil // as good as none
				}
				return kit.Result{}, nil
			})
			j.expect("a", seconds(0, 1)...)
			run := control(t, open(), Options{Reconciler: j, Queue: q.plain()}).run(t)
			defer run.cancel()
			q.put("a")
			time.Sleep(time.Second / 2)
			t.Require(q.NumRequeues(named("a")) == 1, "The request shop/a has failed once, and the rate limiter counts %d of its failures.", q.NumRequeues(named("a")))
			time.Sleep(time.Hour)
			j.asExpected(t, "a", "The request shop/a failed, came again 1s later and succeeded, with a RequeueAfter of -1s, which is as good as none.")
			t.Require(q.NumRequeues(named("a")) == 0, "The request shop/a has succeeded, and the rate limiter still counts %d of its failures: nobody called Forget.", q.NumRequeues(named("a")))
			j.expect("a", append(seconds(0, 1), t.Elapsed())...)
			q.put("a")
			t.Wait()
			j.asExpected(t, "a", "The request shop/a had succeeded, was added again, and comes at once.")
			forgets := q.count("Forget", "a")
			t.Require(forgets >= 2, "The request shop/a failed, succeeded, was added again and succeeded, and Forget was called %d times. It is called after each success, also if nothing has failed before.", forgets)
			t.Note("adds node-1 to the queue")
			q.Put(0, kit.Request{Name: "node-1"})
			t.Wait()
			t.Require(len(j.times("node-1")) > 0, "The request node-1, of an object without a namespace, was added, and was not reconciled.")
			run.end()
		},
	},
	{
		Name:   "errors-are-rate-limited",
		Points: 4,
		Func:   "Controller.Start",
		Look:   []string{"what a worker of Controller.Start does with an error"},
		Rule:   "After an error that is not terminal the request comes again when the rate limiter allows it, whatever the error and the Result are, and however often it has failed.",
		Why:    "An object that cannot be reconciled must not keep a worker and an API server busy for ever. One that can be reconciled in a second must not wait for an hour.",
		Hint: []string{
			"Who decides how long to wait after an error?",
			"Call AddRateLimited and not Forget: the failures have to add up. Look at the error before you look at the Result.",
		},
		Source: "controller-runtime pkg/internal/controller/controller.go: reconcileHandler",
		Contract: []string{
			"There is an error, and it is not terminal: AddRateLimited. The Result is ignored, with one exception that is left open: whether its Priority counts. The error may be of any type: it need not be comparable, and its Error may panic, as that of a nil pointer may.",
			"If After is greater than zero too, the shorter of both counts.",
			"If the queue is a kit.PriorityQueue, a request that is added again keeps the priority with which it was taken out",
		},
		Public: true,
		Check: func(t *conform.T, open func() Subject) {
			for _, priorities := range []bool{false, true} {
				t.Virtual(func(t *conform.T) { failsOften(t, open(), priorities) })
			}
		},
	},
	{
		Name:   "requeue-after-is-not-limited",
		Points: 5,
		Func:   "Controller.Start",
		Look:   []string{"what a worker of Controller.Start does with a Result"},
		Rule:   "RequeueAfter forgets the failures of the request and adds it after exactly that time; the rate limiter is not asked.",
		Why:    "Many people give their queue a rate limiter, return RequeueAfter, and wonder why nothing is limited. RequeueAfter is a date and not a retry.",
		Hint: []string{
			"The rate limiter of this case says: an hour. When does the request come again?",
			"Call Forget, then AddAfter with the time in the Result.",
			"Without the Forget, an error today would wait as if it followed directly on the failures of last week.",
		},
		Source: "controller-runtime#392 (RequeueAfter once did not forget); controller-runtime pkg/internal/controller/controller.go: reconcileHandler",
		Contract: []string{
			"RequeueAfter is greater than zero: Forget, and AddAfter. The rate limiter does not affect that time.",
			"RequeueAfter, if greater than zero, is how long from now.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := newQueue(t, func(failures int) time.Duration { return time.Second + time.Duration(failures)*time.Hour })
			j := newJob(t, func(_ context.Context, _ string, nth int) (kit.Result, error) {
				switch {
				case nth == 1 || nth == 5:
					return kit.Result{}, errBoom
				case nth == 2:
					time.Sleep(time.Second) // RequeueAfter counts from the end of that
				}
				return kit.Result{RequeueAfter: 5 * time.Second}, nil
			})
			run := control(t, open(), Options{Reconciler: j, Queue: q.plain()}).run(t)
			defer run.cancel()
			j.expect("a", seconds(0, 1, 7, 12)...)
			q.put("a")
			time.Sleep(14 * time.Second)
			asked, failures := q.limits.Asked(), q.limits.Counts()[named("a")]
			j.asExpected(t, "a", "The request shop/a failed, came again 1s later, and then returned RequeueAfter: 5s each time, first after a reconcile that took 1s. RequeueAfter is how long from then.")
			t.Require(asked == 1, "The request shop/a has failed once and returned RequeueAfter since, and the rate limiter was asked %d times. It is asked for failures only.", asked)
			t.Require(failures == 0, "The request shop/a failed once and has returned RequeueAfter since, and the rate limiter still counts %d of its failures: RequeueAfter forgets them.", failures)
			j.expect("a", seconds(0, 1, 7, 12, 17, 18, 23)...)
			time.Sleep(12 * time.Second)
			j.asExpected(t, "a", "The request shop/a failed after 17s. It had returned RequeueAfter before, so that is its first failure, for which the rate limiter says 1s.")
			run.end()
			for _, priorities := range []bool{false, true} {
				requeuesAfterAnyTime(t, open(), priorities)
			}
		},
	},
	{
		Name:   "as-many-at-once-as-allowed",
		Points: 4,
		Func:   "Controller.Start",
		Look:   []string{"Controller.Start", "New"},
		Rule:   "Exactly MaxConcurrentReconciles reconciles run at once if there is work for that many. Less than 1 means 1.",
		Why:    "With one worker, an object that waits for a cloud delays all others. With a thousand, the workers bring the cloud down. So the number has to mean what it says.",
		Hint: []string{
			"How many goroutines call Get? When are they started?",
			"Start as many workers as the option says, each in a loop: get, reconcile, done.",
		},
		Source:   "controller-runtime pkg/controller/controller.go: TypedOptions.MaxConcurrentReconciles",
		Contract: []string{"MaxConcurrentReconciles is how many calls of Reconciler run at once, if there is work for that many. Less than 1 means 1."},
		Public:   true,
		Check: func(t *conform.T, open func() Subject) {
			for _, limit := range []int{4, 1, 0, -3, 50} {
				t.Virtual(func(t *conform.T) { keepsBusy(t, open(), limit, max(limit, 1)) })
			}
			t.Virtual(func(t *conform.T) {
				allGoOn(t, open(), "returned an error", func() (kit.Result, error) { return kit.Result{}, errBoom })
			})
			t.Virtual(func(t *conform.T) {
				allGoOn(t, open(), "returned a terminal error", func() (kit.Result, error) { return kit.Result{}, kit.TerminalError(errBoom) })
			})
		},
	},
	{
		Name:   "never-one-key-twice-at-once",
		Points: 5,
		Func:   "Controller.Start",
		Look:   []string{"the loop of a worker of Controller.Start"},
		Rule:   "A request that is added while it is being reconciled is reconciled once more, afterwards, however often it was added; other requests do not wait for it.",
		Why:    "Two workers on one ReplicaSet would both count the pods, both find one missing, and both create one.",
		Hint: []string{
			"From Get on, the queue keeps a request back until a certain call. Which one?",
			"Done, after Reconcile has returned. defer is a good place.",
		},
		Source: `client-go util/workqueue/queue.go: Typed.dirty, Typed.processing; client-go util/workqueue/doc.go: "a single item will not be processed multiple times concurrently"`,
		Contract: []string{
			"Two workers never have the same request: the queue ensures that, as long as Done comes when Reconcile has returned and not earlier.",
			"MaxConcurrentReconciles is how many calls of Reconciler run at once, if there is work for that many.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := newQueue(t, nil)
			j := taking(t, time.Second)
			run := control(t, open(), Options{Reconciler: j, Queue: q.plain(), MaxConcurrentReconciles: 4}).run(t)
			defer run.cancel()
			j.expect("a", seconds(0, 1)...)
			j.expect("b", seconds(0.25)...)
			q.put("a")
			time.Sleep(time.Second / 4)
			for range 3 {
				q.put("a")
				t.Wait()
			}
			q.put("b")
			time.Sleep(time.Minute)
			_, _, doubled := j.load()
			t.Require(!doubled, "A request was added while it was being reconciled, and a second worker began to reconcile it before the first had ended.")
			j.asExpected(t, "a", "The request shop/a was added, and three times more during its reconcile, which takes 1s: it is reconciled once more, when that has ended.")
			j.asExpected(t, "b", "The request shop/b was added after 250ms, and three of the four workers had nothing to do.")
			run.end()
		},
	},
	{
		Name:   "panic-becomes-an-error",
		Points: 4,
		Func:   "Controller.Reconcile",
		Look:   []string{"Controller.Reconcile", "Controller.Start"},
		Rule:   "A panic of the Reconciler is an error like any other, and its worker goes on. If RecoverPanic is false, the panic goes on.",
		Why:    "Otherwise one object with an unexpected nil would stop the controller for all objects, again after each restart.",
		Hint: []string{
			"Where must recover stand so that the worker's loop survives?",
			"In a deferred function of Reconcile, with a named result: the panic becomes the err that is returned.",
			"RecoverPanic is a pointer: nil is not the same as false.",
		},
		Source: "controller-runtime pkg/internal/controller/controller.go: Controller.Reconcile",
		Contract: []string{
			"RecoverPanic says whether a panic of Reconciler becomes an error. nil means yes. If it is false, the panic goes on",
			"unless RecoverPanic is false, with panics made errors. Such an error is not terminal, and its text contains the value of the panic.",
			"There is an error, and it is not terminal: AddRateLimited.",
			"MaxConcurrentReconciles is how many calls of Reconciler run at once, if there is work for that many.",
		},
		Public: true,
		Check: func(t *conform.T, open func() Subject) {
			yes, no := true, false
			for _, timeout := range []time.Duration{0, time.Hour} {
				t.Virtual(func(t *conform.T) { survivesPanic(t, open(), nil, timeout) })
				t.Virtual(func(t *conform.T) { survivesPanic(t, open(), &yes, timeout) })
				t.Virtual(func(t *conform.T) { panicsOn(t, open(), &no, timeout) })
			}
			t.Virtual(func(t *conform.T) {
				allGoOn(t, open(), "panicked", func() (kit.Result, error) { panic("nothing at line 17") })
			})
		},
	},
	{
		Name:   "syncs-before-work",
		Points: 4,
		Func:   "Controller.Start",
		Look:   []string{"Controller.Start", "Controller.Watch"},
		Rule:   "Sources are started by Start, and no request is reconciled before all of them have synced.",
		Why:    "A ReplicaSet is in its cache, and its pods are not there yet. A controller that begins now creates them all a second time.",
		Hint: []string{
			"In this case the queue has a request from the first moment on. What must not take it out yet?",
			"Start every source, wait for every WaitForSync, and then start the workers.",
		},
		Source: "controller-runtime#3406; controller-runtime pkg/internal/controller/controller.go: startEventSourcesAndQueueLocked",
		Contract: []string{
			"Start starts the sources, waits until all have synced, then starts the workers, and blocks until ctx is done.",
			"Watch adds sources of requests. Before Start it keeps them until then.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := newQueue(t, nil)
			j := taking(t, 0)
			c := control(t, open(), Options{Reconciler: j, Queue: q.plain(), MaxConcurrentReconciles: 2})
			slow, quick := adding(t, 20*time.Second, "a"), adding(t, 10*time.Second, "b")
			c.watches(t, slow)
			c.watches(t, quick)
			t.Wait()
			first, _ := slow.starts()
			t.Require(first == 0, "Watch was called, and started the source. Before Start it only keeps it.")
			j.not("not all sources have synced")
			run := c.run(t)
			defer run.cancel()
			time.Sleep(15 * time.Second)
			first, _ = slow.starts()
			second, _ := quick.starts()
			t.Require(first == 1, "Start was called 15s ago, and the first source was started %d times. Once was due.", first)
			t.Require(second == 1, "Start was called 15s ago, and the second source was started %d times. Once was due.", second)
			t.Require(j.total() == 0, "One of two sources has not synced, and %d requests were reconciled. None may be before all sources have synced.", j.total())
			j.not("")
			time.Sleep(6 * time.Second)
			t.Require(j.total() == 2, "Both sources synced within 20s, and 1s later %d of the 2 requests that they had added were reconciled.", j.total())
			run.end()
		},
	},
	{
		Name:   "for-names-the-object",
		Points: 3,
		Func:   "For",
		Look:   []string{"For", "Watches"},
		Rule:   "For adds the request of the object that an event is about: an object that was added, changed or deleted, also if the deletion was missed.",
		Why:    "A request does not say what has happened, only to which object. Reconcile reads the current state, so a lost or doubled event does no harm.",
		Hint: []string{
			"Three methods, one name. What do they need of the object?",
			"kit.RequestFor. A deletion whose final state is unknown is a deletion.",
		},
		Source: "controller-runtime pkg/handler/enqueue.go: EnqueueRequestForObject",
		Contract: []string{
			"For every event they add each request once, also if an update names it twice, for the old object and for the new one.",
			"For names the object itself",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			i, q := newInformer(t), newQueue(t, nil)
			s := open()
			stop := listening(t, made(t, "For(informer)", func() Source { return s.For(i) }), i, q.plain())
			defer stop()
			i.add(pod("came", 1), false)
			i.update(pod("changed", 1), pod("changed", 2))
			i.update(pod("resynced", 3), pod("resynced", 3))
			i.remove(pod("went", 1), false)
			i.remove(pod("missed", 1), true)
			q.contains("For adds the object that an event is about.", "shop/came", "shop/changed", "shop/missed", "shop/resynced", "shop/went")
			node := pod("node-1", 1)
			node.Namespace = ""
			i.add(node, false)
			q.contains("An object without a namespace was added.", "node-1")
			i.add(pod("system:Reader", 1), false)
			q.contains("An object was added whose name has a capital letter, as that of a Role may have.", "shop/system:Reader")
		},
	},
}

// patience is how often the request of failsOften fails.
const patience = 40

// failsDifferently is the work of shop/a in failsOften.
func failsDifferently(_ context.Context, _ string, nth int) (kit.Result, error) {
	switch nth {
	case 2:
		return kit.Result{RequeueAfter: time.Millisecond}, errBoom
	case 3:
		return kit.Result{RequeueAfter: time.Hour, Requeue: true}, errBoom
	case 4:
		return kit.Result{}, fmt.Errorf("asking the cloud: %w", context.DeadlineExceeded)
	case 5:
		return kit.Result{}, context.Canceled
	case 6:
		return kit.Result{}, kit.NewConflict("replicasets", "shop/a")
	case 7:
		return kit.Result{}, kit.NewNotFound("configmaps", "shop/settings")
	case 8:
		return kit.Result{}, fmt.Errorf("making a pod: %w", kit.NewAlreadyExists("pods", "shop/a-1"))
	case 9:
		return kit.Result{}, kit.NewStatusError(kit.ReasonTooManyRequests, "ask again in a second")
	case 10, 11:
		return kit.Result{}, manyErrors{errBoom, errBoom}
	case 12:
		var none *absent
		return kit.Result{}, none
	case patience + 1:
		return kit.Result{}, nil
	}
	return kit.Result{}, errBoom
}

// failsOften has a request fail in many ways, and more often than some controllers have patience.
func failsOften(t *conform.T, s Subject, priorities bool) {
	wait := func(failures int) time.Duration { return time.Second << min(failures, 4) }
	q := newQueue(t, wait)
	j := newJob(t, failsDifferently)
	run := control(t, s, Options{Reconciler: j, Queue: q.as(priorities)}).run(t)
	defer run.cancel()
	due := seconds(0)
	for failures := range patience {
		due = append(due, due[failures]+wait(failures))
	}
	j.expect("a", due...)
	kept := 0
	if priorities {
		kept = -7
	}
	t.Note("adds shop/a to the queue, with priority %d", kept)
	q.Put(kept, named("a"))
	time.Sleep(24 * time.Hour)
	j.asExpected(t, "a", fmt.Sprintf("The rate limiter says 1s, 2s, 4s, 8s, and 16s from then on, whatever the Result and the error are, and however many there were: %d in a row. The request was in %s.", patience, kindOfQueue(priorities)))
	run.end()
	for n, priority := range q.handedOut("a") {
		t.Require(priority == kept, "The request shop/a was added with priority %d, and after %s it was handed out with %d. It keeps its priority, however often it has failed.", kept, conform.Count(n, "error"), priority)
	}
}

// requeuesAfterAnyTime has a request return the shortest RequeueAfter, one with a part of a second, and thirty
// days.
func requeuesAfterAnyTime(t *conform.T, s Subject, priorities bool) {
	const day = 24 * time.Hour
	q := newQueue(t, nil)
	j := newJob(t, func(_ context.Context, _ string, nth int) (kit.Result, error) {
		after := []time.Duration{time.Nanosecond, 1500 * time.Millisecond, 30 * day, 0}
		return kit.Result{RequeueAfter: after[min(nth, len(after))-1]}, nil
	})
	run := control(t, s, Options{Reconciler: j, Queue: q.as(priorities)}).run(t)
	defer run.cancel()
	first := t.Elapsed()
	third := first + time.Nanosecond + 1500*time.Millisecond
	j.expect("b", first, first+time.Nanosecond, third, third+30*day)
	q.put("b")
	time.Sleep(31 * day)
	j.asExpected(t, "b", "The request shop/b was in "+kindOfQueue(priorities)+", and returned RequeueAfter: 1ns, 1.5s and 720h, and nothing the next time.")
	run.end()
}

// keepsBusy gives a controller more work than it may do at once.
func keepsBusy(t *conform.T, s Subject, limit, want int) {
	requests := max(12, limit+10)
	q := newQueue(t, nil)
	j := taking(t, time.Second)
	j.limit = want
	run := control(t, s, Options{Reconciler: j, Queue: q.plain(), MaxConcurrentReconciles: limit}).run(t)
	defer run.cancel()
	for n := range requests {
		q.put(fmt.Sprintf("r-%d", n+1))
	}
	time.Sleep(time.Second / 2)
	now, _, _ := j.load()
	t.Require(now == want, "%d requests were added, each takes 1s, MaxConcurrentReconciles is %d, and after 500ms %d were being reconciled. It should have been %d.", requests, limit, now, want)
	time.Sleep(time.Duration(requests) * time.Second)
	_, most, _ := j.load()
	t.Require(most == want, "MaxConcurrentReconciles is %d, and at one moment %d requests were being reconciled.", limit, most)
	t.Require(j.total() == requests, "%d requests were added once each, and %d reconciles followed.", requests, j.total())
	run.end()
}

// allGoOn has several workers, and more reconciles than that which do not succeed. Then it gives the workers work
// for all of them.
func allGoOn(t *conform.T, s Subject, did string, fail func() (kit.Result, error)) {
	const limit, failures = 3, 5
	q := newQueue(t, doubling(24*time.Hour))
	j := newJob(t, func(_ context.Context, name string, _ int) (kit.Result, error) {
		if strings.HasPrefix(name, "bad-") {
			return fail()
		}
		time.Sleep(time.Second)
		return kit.Result{}, nil
	})
	run := control(t, s, Options{Reconciler: j, Queue: q.plain(), MaxConcurrentReconciles: limit}).run(t)
	defer run.cancel()
	for n := range failures {
		q.put(fmt.Sprintf("bad-%d", n+1))
	}
	time.Sleep(time.Minute)
	begun := j.total()
	q.put("a", "b", "c", "d")
	time.Sleep(time.Second / 2)
	now, _, _ := j.load()
	t.Require(begun == failures && now == limit, "MaxConcurrentReconciles is %d. %d requests were added, whose reconcile %s, and %d of these were reconciled. Then four more were added, which take 1s each, and after 500ms %d were being reconciled: %d were due. A worker goes on after each reconcile.", limit, failures, did, begun, now, limit)
	time.Sleep(time.Minute)
	run.end()
}

// survivesPanic has a single worker panic, and then looks for it.
func survivesPanic(t *conform.T, s Subject, recoverPanic *bool, timeout time.Duration) {
	q := newQueue(t, doubling(time.Second))
	j := newJob(t, func(_ context.Context, name string, nth int) (kit.Result, error) {
		if name == "a" && nth <= 2 {
			panic("nothing at line 17")
		}
		return kit.Result{}, nil
	})
	c := control(t, s, Options{Reconciler: j, Queue: q.plain(), RecoverPanic: recoverPanic, ReconciliationTimeout: timeout})
	run := c.run(t)
	defer run.cancel()
	j.expect("a", seconds(0, 1, 3)...)
	j.expect("b", 0)
	q.put("a", "b")
	time.Sleep(time.Minute)
	j.asExpected(t, "b", "The reconcile of shop/a panicked, and shop/b is next: the worker goes on.")
	j.asExpected(t, "a", "The reconcile of shop/a panicked twice, which is an error like any other: it comes again when the rate limiter says, 1s and 2s later.")
	run.end()
	for _, p := range panics {
		j.do = func(context.Context, string, int) (kit.Result, error) { p.with(); return kit.Result{}, nil }
		var err error
		value := caught(func() { _, err = c.reconcile(t.Context(), "a") })
		t.Require(value == nil, "RecoverPanic is %s, ReconciliationTimeout is %v, the Reconciler panicked with %s, and Reconcile did not return: an error was due. Its caller recovered: %v.", pointed(recoverPanic), timeout, p.what, value)
		t.Require(err != nil, "The Reconciler panicked with %s, and Reconcile returned no error.", p.what)
		t.Require(strings.Contains(err.Error(), p.text), "The Reconciler panicked with %s, and Reconcile returned %q, which does not contain the value of the panic: %q.", p.what, err, p.text)
		t.Require(!kit.IsTerminal(err), "The Reconciler panicked with %s, and Reconcile returned a terminal error. An error made from a panic is not terminal.", p.what)
	}
}

const longText = "the status of the pod shop/a-1 names a container that the spec does not have: nothing at line 17"

// panics are ways to panic, and what the error that is made of each contains.
var panics = []struct {
	what string
	with func()
	text string
}{
	{"a string", func() { panic("nothing at line 17") }, "nothing at line 17"},
	{"a terminal error", func() { panic(kit.TerminalError(errors.New("nothing at line 17"))) }, "nothing at line 17"},
	{"a number", func() { panic(4217) }, "4217"},
	{"a longer string", func() { panic(longText) }, longText},
	{"an error that is a nil pointer", func() { panic(error((*absent)(nil))) }, ""},
	{"an error of the runtime", func() { var none *kit.Pod; _ = none.Name }, "nil pointer dereference"},
}

// absent is an error whose nil pointer cannot say what it is: a function that returns a variable of this type
// returns an error that is not nil.
type absent struct{ why string }

func (a *absent) Error() string {
	if a == nil {
		panic("Error was called of an error that is a nil pointer. An error may be of any type, and need not be asked what it says")
	}
	return a.why
}

// manyErrors is an error that cannot be compared with another one.
type manyErrors []error

func (m manyErrors) Error() string { return fmt.Sprintf("%d errors", len(m)) }

// panicsOn calls Reconcile directly: on a worker's goroutine nobody could catch it.
func panicsOn(t *conform.T, s Subject, recoverPanic *bool, timeout time.Duration) {
	j := newJob(t, func(context.Context, string, int) (kit.Result, error) { panic(errBoom) })
	c := control(t, s, Options{Reconciler: j, Queue: newQueue(t, nil).plain(), RecoverPanic: recoverPanic, ReconciliationTimeout: timeout})
	var err error
	value := caught(func() { _, err = c.reconcile(t.Context(), "a") })
	t.Require(value != nil, "RecoverPanic is false, ReconciliationTimeout is %v, the Reconciler panicked with %q, and Reconcile returned %s. If RecoverPanic is false, the panic goes on.", timeout, errBoom, conform.Said(err))
	t.Require(value == any(errBoom), "RecoverPanic is false, ReconciliationTimeout is %v, the Reconciler panicked with %q, and the caller of Reconcile recovered %v. The same value was due: the panic goes on.", timeout, errBoom, value)
}

func caught(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}
