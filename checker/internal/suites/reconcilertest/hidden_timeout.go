package reconcilertest

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// timesOut has a reconcile that does not heed the end of its ctx.
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
	time.Sleep(time.Minute) // with nothing to do, for longer than the timeout
	begun := t.Elapsed()
	j.expect("a", begun, begun+30*time.Second)
	q.put("a")
	time.Sleep(5 * time.Second)
	q.put("a")
	time.Sleep(time.Minute)
	t.Wait()
	t.Require(len(ended) == 1, "ReconciliationTimeout is 10s, and 1m5s after a reconcile of shop/a had begun its ctx was not done.")
	t.OnTime("The ctx of the reconcile was done", ended[0]-begun, 10*time.Second, "ReconciliationTimeout was over")
	_, _, doubled := j.load()
	t.Require(!doubled, "A reconcile of shop/a went on for 20s after its timeout, and a second one began beside it. A timeout ends the ctx, not the call.")
	j.asExpected(t, "a", "The reconcile of shop/a takes 30s, and shop/a was added again during it: it is reconciled once more, when that has ended.")
	run.end()
	before := t.Elapsed()
	j.do = func(ctx context.Context, _ string, _ int) (kit.Result, error) {
		_ = within(ctx, time.Hour)
		return kit.Result{RequeueAfter: time.Minute}, nil
	}
	result, err := c.reconcile(t.Context(), "b")
	t.Require(err == nil, "The Reconciler returned no error, and Reconcile returned %q.", err)
	t.Require(result.RequeueAfter == time.Minute, "The Reconciler returned RequeueAfter: 1m0s, and Reconcile returned %s.", said(result))
	t.OnTime("Start had returned, Reconcile was called directly with another ctx, and the ctx of the reconcile was done", t.Elapsed()-before, 10*time.Second, "ReconciliationTimeout was over")
	before = t.Elapsed()
	_, _ = control(t, s, Options{Reconciler: j, Queue: q.plain(), ReconciliationTimeout: time.Nanosecond}).reconcile(t.Context(), "c")
	t.OnTime("The ctx of a Reconcile with the shortest timeout was done", t.Elapsed()-before, time.Nanosecond, "ReconciliationTimeout was over")
}

// timesOutEachTime has a reconcile that ends with its ctx, and fails, three times in a row.
func timesOutEachTime(t *conform.T, s Subject) {
	q := newQueue(t, doubling(time.Second))
	j := newJob(t, func(ctx context.Context, _ string, nth int) (kit.Result, error) {
		if nth > 3 {
			return kit.Result{}, nil
		}
		return kit.Result{}, within(ctx, time.Hour)
	})
	run := control(t, s, Options{Reconciler: j, Queue: q.plain(), ReconciliationTimeout: 10 * time.Second}).run(t)
	defer run.cancel()
	j.expect("a", seconds(0, 11, 23, 37)...)
	q.put("a")
	time.Sleep(2 * time.Minute)
	j.asExpected(t, "a", "The reconcile of shop/a ends when its ctx is done, with an error, three times in a row. ReconciliationTimeout is 10s, counted from the beginning of each call, and the rate limiter says 1s, 2s and 4s.")
	run.end()
}

// endsWithTheCall keeps the ctx of reconciles that returned before their timeout.
func endsWithTheCall(t *conform.T, s Subject) {
	var kept context.Context
	j := newJob(t, func(ctx context.Context, name string, _ int) (kit.Result, error) {
		kept = ctx
		switch name {
		case "panics":
			panic("at line 17")
		case "fails":
			return kit.Result{}, errBoom
		}
		return kit.Result{}, nil
	})
	c := control(t, s, Options{Reconciler: j, Queue: newQueue(t, nil).plain(), ReconciliationTimeout: time.Hour})
	for _, call := range []struct{ name, did string }{{"succeeds", "succeeded"}, {"fails", "returned an error"}, {"panics", "panicked"}} {
		_, err := c.reconcile(t.Context(), call.name)
		t.Require((err == nil) == (call.name == "succeeds"), "The Reconciler %s, and Reconcile returned %s.", call.did, conform.Said(err))
		t.Require(kept.Err() != nil, "ReconciliationTimeout is 1h, the Reconciler %s, Reconcile has returned, and the ctx that the Reconciler got is not done: what belongs to it, a timer at least, is kept for an hour.", call.did)
	}
}

// endsNoOther has a reconcile return while two others are under way, which began before and after.
func endsNoOther(t *conform.T, s Subject) {
	q := newQueue(t, nil)
	took := map[string]time.Duration{}
	var mu sync.Mutex // guards it
	j := newJob(t, func(ctx context.Context, name string, _ int) (kit.Result, error) {
		begun, long := t.Elapsed(), time.Hour
		if name == "short" {
			long = 2 * time.Second
		}
		_ = within(ctx, long)
		mu.Lock()
		defer mu.Unlock()
		took[name] = t.Elapsed() - begun
		return kit.Result{}, nil
	})
	run := control(t, s, Options{Reconciler: j, Queue: q.plain(), MaxConcurrentReconciles: 3, ReconciliationTimeout: 10 * time.Second}).run(t)
	defer run.cancel()
	for _, name := range []string{"before", "short", "after"} {
		q.put(name)
		time.Sleep(time.Second)
	}
	time.Sleep(time.Minute)
	run.end()
	t.OnTime("The reconcile of shop/short ended, counted from its beginning,", took["short"], 2*time.Second, "it had done its work, and ReconciliationTimeout is 10s")
	for _, name := range []string{"before", "after"} {
		t.OnTime("While two others were under way, the ctx of the reconcile of "+named(name).String()+" was done, counted from its beginning,", took[name], 10*time.Second, "its own ReconciliationTimeout was over")
	}
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
	q.TakeCalls()
	_, err := c.reconcile(context.WithValue(t.Context(), contextKey{}, "mine"), "b")
	t.Require(err == nil, "There was no ReconciliationTimeout, and a Reconcile that takes a day returned %q: its ctx was done.", err)
	t.Require(slices.Equal(values, []any{"mine"}), "Reconcile was called with a ctx that has a value \"mine\", and the Reconciler was called %s, with %v. The ctx of the reconcile is derived from the given one.", conform.Count(len(values), "time"), values)
	saidNothing(t, q)
	endsWithItsCaller(t, s)
	for _, timeout := range []time.Duration{0, time.Hour} {
		endsItsCaller(t, s, timeout)
	}
	ctx, cancel := t.WithCancel(context.WithValue(t.Context(), contextKey{}, "of Start"), "Start's ctx")
	run := c.runIn(t, ctx, cancel)
	defer run.cancel()
	q.put("a")
	time.Sleep(48 * time.Hour)
	calls := len(j.times("a"))
	t.Require(calls == 1, "There was no ReconciliationTimeout, and shop/a, whose reconcile takes a day, was reconciled %d times within two. Once was due.", calls)
	run.end()
	last := values[len(values)-1]
	t.Require(last == any("of Start"), "Start was called with a ctx that has a value \"of Start\", and in the ctx of a reconcile that value is %v. The ctx of every reconcile is derived from that of Start.", last)
}

// panicsAfterTheEnd has reconciles that panic when their ctx is done.
func panicsAfterTheEnd(t *conform.T, s Subject) {
	j := newJob(t, func(ctx context.Context, _ string, _ int) (kit.Result, error) {
		<-ctx.Done()
		panic("at line 17")
	})
	c := control(t, s, Options{Reconciler: j, Queue: newQueue(t, nil).plain(), ReconciliationTimeout: time.Second})
	done, cancel := context.WithCancel(t.Context())
	cancel()
	for _, call := range []struct {
		ctx   context.Context
		ended string
	}{{t.Context(), "its ReconciliationTimeout"}, {done, "the ctx that Reconcile was given"}} {
		var err error
		value := caught(func() { _, err = c.reconcile(call.ctx, "a") })
		t.Require(value == nil, "The Reconciler panicked when its ctx was done, by the end of %s, and Reconcile did not return: its caller recovered %v. An error was due.", call.ended, value)
		t.Require(err != nil, "The Reconciler panicked when its ctx was done, by the end of %s, and Reconcile returned nil. An error was due.", call.ended)
	}
}

// tellsNobody calls Reconcile directly, and looks whether OnError is called, or the queue is asked for failures.
func tellsNobody(t *conform.T, s Subject, timeout time.Duration) {
	told, asked := 0, false
	j := newJob(t, func(_ context.Context, name string, _ int) (kit.Result, error) {
		switch name {
		case "panics":
			panic("at line 17")
		case "fails":
			return kit.Result{}, errBoom
		}
		return kit.Result{}, nil
	})
	onError := func(kit.Request, error) { told++ }
	c := control(t, s, Options{Reconciler: j, Queue: untouched{newQueue(t, nil).plain(), t, &asked}, OnError: onError, ReconciliationTimeout: timeout})
	for _, name := range []string{"succeeds", "fails", "panics"} {
		_, _ = c.reconcile(t.Context(), name)
	}
	t.Require(told == 0, "ReconciliationTimeout is %v. Reconcile was called directly three times, of which two failed, and OnError was called %s. A worker calls it, and Reconcile does not.", timeout, conform.Count(told, "time"))
	t.Require(!asked, "ReconciliationTimeout is %v. Reconcile was called directly, and NumRequeues of the queue was called. Reconcile does not touch the queue.", timeout)
}

// saidNothing requires that nothing was said to a queue. No controller has been started.
func saidNothing(t *conform.T, q queue) {
	for _, c := range q.TakeCalls() {
		t.Fatalf("Reconcile was called directly, and %s(%v) of the queue was called. Reconcile does not touch the queue.", c.Method, c.Item)
	}
}

// endsItsCaller has a Reconciler that ends the goroutine on which it is called.
func endsItsCaller(t *conform.T, s Subject, timeout time.Duration) {
	reconciler := t.Named("reconciler")
	work := kit.ReconcilerFunc(func(_ context.Context, r kit.Request) (kit.Result, error) {
		reconciler.Callback("Reconcile(ctx, %v)", r).Returned("ends its goroutine")
		runtime.Goexit()
		return kit.Result{}, nil
	})
	c := control(t, s, Options{Reconciler: work, Queue: newQueue(t, nil).plain(), ReconciliationTimeout: timeout})
	ended, returned := make(chan struct{}), false
	a := t.Named("caller")
	go func() {
		defer close(ended)
		_, _ = c.as(a).reconcile(t.Context(), "b")
		returned = true
	}()
	<-ended
	t.Require(!returned, "ReconciliationTimeout is %v. The Reconciler ended its goroutine, with runtime.Goexit, and the goroutine that had called Reconcile went on. Reconciler is called on the goroutine of the caller.", timeout)
}

// endsWithItsCaller has a ReconciliationTimeout, and a caller's ctx that ends before it.
func endsWithItsCaller(t *conform.T, s Subject) {
	var saw error // by the latest reconcile
	var value any
	j := newJob(t, func(ctx context.Context, _ string, _ int) (kit.Result, error) {
		saw, value = within(ctx, 24*time.Hour), ctx.Value(contextKey{})
		return kit.Result{}, saw
	})
	c := control(t, s, Options{Reconciler: j, Queue: newQueue(t, nil).plain(), ReconciliationTimeout: time.Hour})
	ctx, cancel := context.WithTimeoutCause(context.WithValue(t.Context(), contextKey{}, "mine"), time.Minute, errBoom)
	defer cancel()
	before := t.Elapsed()
	_, err := c.reconcile(ctx, "b")
	t.OnTime("The ctx of the reconcile was done", t.Elapsed()-before, time.Minute, "the ctx that Reconcile was given was done")
	t.Require(saw == context.DeadlineExceeded, "The ctx that Reconcile was given was done at its deadline, and Err of the ctx that the Reconciler got is %s, and not %s: it is not derived from the given one.", conform.Said(saw), conform.Said(context.DeadlineExceeded))
	t.Require(value == any("mine"), "ReconciliationTimeout is 1h, Reconcile was called with a ctx that has a value \"mine\", and in the ctx of the reconcile that value is %v. The ctx of the reconcile is derived from the given one.", value)
	t.Require(errors.Is(err, saw), "The Reconciler returned %s, and Reconcile returned %s.", conform.Said(saw), conform.Said(err))
	_, _ = c.reconcile(ctx, "late")
	calls := len(j.times("late"))
	t.Require(calls == 1, "Reconcile was called with a ctx that was done, and called the Reconciler %s. Once was due: Reconcile calls it, and hands the ctx on.", conform.Count(calls, "time"))

	no := false
	for _, recovers := range []*bool{nil, &no} {
		c = control(t, s, Options{Reconciler: j, Queue: newQueue(t, nil).plain(), ReconciliationTimeout: time.Hour, RecoverPanic: recovers})
		later, stop := context.WithTimeout(t.Context(), 2*time.Hour)
		before = t.Elapsed()
		_, _ = c.reconcile(later, "c")
		t.OnTime("With a RecoverPanic that is "+pointed(recovers)+", and a deadline of the given ctx 2h later, the ctx of the reconcile was done", t.Elapsed()-before, time.Hour, "ReconciliationTimeout was over")
		stop()
	}
}
