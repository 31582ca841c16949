package cancellationtest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

var hidden = append(append(hiddenFirst, hiddenChannels...), hiddenLoops...)

var hiddenFirst = []conform.Case[Subject]{
	{
		Name:   "all-fail",
		Points: 4,
		Func:   "First",
		Rule:   "If no task succeeds, First returns the zero value and the errors of all tasks joined, in the order of the tasks.",
		Why:    "'Connection refused' of the last mirror tried says nothing about why the first one failed.",
		Hint: []string{
			"Which element of a slice of errors belongs to which task?",
			"errors.Join keeps the order of its arguments. Do not pass on a value that came with an error.",
		},
		Contract: []string{
			"If no task succeeds, First returns the zero value and an error made by errors.Join of the tasks' errors, in the order of the tasks.",
			"in any case when First returns",
			"First runs every task in a goroutine of its own, all at the same time",
		},
		Source: "Go errors/join.go: Join",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			errs := []error{
				errors.New("zero"), errors.Join(errors.New("one"), errors.New("and a half")), s.ErrNoTasks,
				context.Canceled, context.DeadlineExceeded, fmt.Errorf("five: %w", context.Canceled),
			}
			var given context.Context
			got, err := first(t, s, t.Context(),
				after(3*time.Second, 7, errs[0]),
				func(ctx context.Context) (int, error) { given = ctx; return after(time.Second, 8, errs[1])(ctx) },
				after(2*time.Second, 9, errs[2]), after(time.Second, 10, errs[3]), after(time.Second, 11, errs[4]), after(0, 12, errs[5]))
			t.OnTime("First returned", t.Elapsed(), 3*time.Second, "the last task had failed")
			t.Require(got == 0, "First returned %d, the value of a task that had failed.", got)
			joined(t, "All of six tasks failed", err, errs...)
			t.Require(given.Err() != nil, "First has returned, and the context that it gave to its tasks is not cancelled: its Err is nil.")

			got, err = first(t, open(), t.Context(), func(ctx context.Context) (int, error) { given = ctx; return 7, errs[0] })
			t.Require(got == 0, "First returned %d, the value of the only task, which had failed.", got)
			joined(t, "The only task failed", err, errs[0])
			t.Require(given.Err() != nil, "First has returned, and the context that it gave to its only task is not cancelled: its Err is nil.")
			manyFail(t, open())
		},
	},
	{
		Name:   "losers-are-waited-for",
		Alone:  true, // a process that was to end proves nothing of other cases
		Points: 5,
		Func:   "First",
		Rule:   "First returns only after every task has returned, and what a loser returns changes nothing. A panic of a task is not caught.",
		Why:    "A loser that still uses the caller's connection after the call has returned is a data race, or a leak, in code that looks innocent.",
		Hint: []string{
			"How many outcomes will there be in all? How many did you receive?",
			"Receive as many outcomes as there are tasks; keep the first success.",
		},
		Contract: []string{
			"it blocks, without polling, until every task it started has returned, and then returns at once",
			"What a loser returns is thrown away.",
			"A panic of a task is not caught: it ends the process, in the task's own goroutine.",
		},
		Source: "Notes on structured concurrency (N. J. Smith, 2018); x/sync errgroup/errgroup.go: Group.Wait",
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				var running atomic.Int32
				counted := func(task Task) Task {
					return func(ctx context.Context) (int, error) {
						running.Add(1)
						defer running.Add(-1)
						return task(ctx)
					}
				}
				tidy := func(ctx context.Context) (int, error) {
					<-ctx.Done()
					time.Sleep(2 * time.Second)
					return 0, ctx.Err()
				}
				got, err := first(t, open(), t.Context(), counted(deaf(6*time.Second, 1, nil)), counted(tidy),
					counted(after(time.Second, 2, nil)), counted(deaf(1000*time.Hour, 3, nil)))
				t.Require(running.Load() == 0, "First returned, and %s had not: it waits for all of them.", conform.Count(int(running.Load()), "loser"))
				won(t, got, err, 2)
				t.OnTime("First returned", t.Elapsed(), 1000*time.Hour, "the last loser had returned")

				began := t.Elapsed()
				ctx, cancel := context.WithCancel(t.Context())
				soon(t, cancel)
				got, err = first(t, open(), ctx, counted(after(0, 1, nil)), counted(deaf(3*time.Second, 2, nil)), counted(deaf(6*time.Second, 3, nil)))
				t.Require(running.Load() == 0, "ctx was cancelled while First waited for the losers, and it returned while %d of them were still running.", running.Load())
				t.Require(err == nil, "Task 0 had succeeded before ctx was cancelled, and First returned %s.", conform.Said(err))
				won(t, got, err, 1)
				t.OnTime("First returned", t.Elapsed()-began, 6*time.Second, "the last loser had returned, which does not heed the end of ctx")

				began = t.Elapsed()
				refused := errors.New("refused")
				got, err = first(t, open(), t.Context(), counted(deaf(3*time.Second, 1, nil)), counted(after(0, 0, refused)),
					counted(after(time.Second, 2, nil)), counted(after(0, 0, refused)), counted(after(time.Hour, 3, nil)))
				t.Require(running.Load() == 0, "Two tasks failed, one won, one gave up when it was cancelled, and First returned while %d others were still running.", running.Load())
				won(t, got, err, 2)
				t.OnTime("First returned", t.Elapsed()-began, 3*time.Second, "the last loser had returned, which is the first in the list")
			})
			s := open()
			for range 20 { // on the real scheduler: Outer lets the others run in the middle of the subject's cancel
				stopped := func(value int) Task {
					return func(ctx context.Context) (int, error) { <-ctx.Done(); return value, nil }
				}
				got, err := first(t, s, conform.Outer(t.Context()), stopped(2), stopped(3),
					func(context.Context) (int, error) { return 1, nil }, stopped(4))
				t.Require(err != nil || got == 1, "First returned %d, the value of a task that succeeds only when it is cancelled, and it is cancelled only because another has won, with the value 1.", got)
				won(t, got, err, 1)
			}
			taskPanics(t, s, "A task panicked")
			winner := func(context.Context) (int, error) { return 1, nil }
			taskPanics(t, s, "A task has succeeded, and another panicked when it was cancelled", winner)
		},
	},
	{
		Name:   "first-heeds-ctx",
		Points: 5,
		Func:   "First",
		Rule:   "If ctx is already done nothing is started; if it is cancelled later the tasks learn of it, and a task that still succeeds has succeeded.",
		Why:    "SIGTERM has to reach the innermost request, through every function on the way.",
		Hint: []string{
			"From which context do you derive the one that tasks get?",
			"Check ctx.Err() before the first go statement. After that only the tasks need to watch ctx.",
		},
		Contract: []string{
			"If ctx is already done, no task is started and First returns the zero value and ctx.Err().",
			"If ctx ends later, the tasks learn of it by their context and the rules above hold unchanged",
			"The context that tasks receive is derived from ctx",
			"First leaves nothing behind, not even a function that is registered with ctx.",
			"a task that still succeeds has succeeded",
			"Once First has begun to start tasks it runs all of them",
		},
		Source: "Go blog, Go Concurrency Patterns: Context",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			inherits(t, s)
			began := t.Elapsed()
			ctx, end := context.WithTimeoutCause(t.Context(), time.Second, errors.New("the cause of the timeout"))
			defer end()
			t.Ends(ctx)
			late := context.DeadlineExceeded
			_, err := first(t, s, ctx, after(time.Hour, 1, nil), after(time.Hour, 2, nil))
			t.OnTime("First returned", t.Elapsed()-began, time.Second, "the tasks, whose context ends with ctx, had returned")
			joined(t, fmt.Sprintf("ctx ended with %s, so both tasks failed with that", conform.Said(late)), err, late, late)

			var started atomic.Int32
			_, err = first(t, s, ctx, func(context.Context) (int, error) { started.Add(1); return 1, nil })
			t.Require(err == late, "ctx had ended before, with %s, and First returned %s: it should have returned ctx.Err().", conform.Said(late), conform.Said(err))
			t.Wait()
			t.Require(started.Load() == 0, "ctx had ended before First was called, and it started a task.")
			_, err = first(t, s, ctx)
			t.Require(err == late, "ctx had ended before, with %s, and First without tasks returned %s: it should have returned ctx.Err().", conform.Said(late), conform.Said(err))

			beforeTheBegin(t, s)

			ctx, cancel := context.WithCancel(t.Context())
			soon(t, cancel)
			got, err := first(t, s, ctx, after(time.Hour, 1, nil), deaf(2*time.Second, 2, nil))
			won(t, got, err, 2) // after the cancellation, and all the same

			ctx, cancel = context.WithCancel(t.Context())
			soon(t, cancel)
			_, err = first(t, s, ctx, after(time.Hour, 1, nil), after(time.Hour, 2, nil))
			stopped := context.Canceled
			joined(t, "ctx was cancelled, so both tasks failed with the Err of their context", err, stopped, stopped)

			ctx, cancel = context.WithTimeout(t.Context(), time.Hour)
			soon(t, cancel)
			_, err = first(t, s, ctx, after(2*time.Second, 1, nil), after(2*time.Second, 2, nil))
			joined(t, "ctx was cancelled long before its deadline, so both tasks failed with the Err of their context", err, stopped, stopped)
			passesCause(t, s)
			afterTheEnd(t, s)
			signsOff(t, s)
			oneSucceeds(t, s)
			justInTime(t, s)
			for range 5 {
				endsAtOnce(t, s, "cancels ctx and fails", errors.New("refused"))
				endsAtOnce(t, s, "succeeds", nil)
			}
		},
	},
	{
		Name:   "winners-at-once",
		Points: 4,
		Func:   "First",
		Rule:   "Any number of tasks may succeed and fail at the same moment: First returns the value of one that succeeded, and there is no data race.",
		Why:    "Two replicas that answer in the same microsecond are not rare when there are a million requests.",
		Hint: []string{
			"Which variables do two winners write?",
			"Let the tasks only send. One goroutine, that of First, decides which task has won.",
		},
		Contract: []string{"Of two tasks that succeed at the same moment either may win.", "All of them are cancelled, the winner's too, as soon as a task has succeeded"},
		Source:   "The Go Memory Model; Go documentation, Data Race Detector",
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			t.Copies(func(t *conform.T) { winAtOnce(t, s) })
			listensAmongWinners(t, s)
		},
	},
}

// winAtOnce has tasks succeed and fail at the same moment.
func winAtOnce(t *conform.T, s Subject) {
	const n = 8
	together := probe.Barrier(n)
	var tasks []Task
	for i := range n {
		tasks = append(tasks, func(context.Context) (int, error) {
			together()
			if i%2 == 0 {
				return -1, errors.New("lost")
			}
			return i, nil
		})
	}
	got, err := conform.Do2(t.Actor, func() (int, error) { return s.First(t.Context(), tasks...) }, "First(ctx, %s)", conform.Count(n, "task"))
	t.Require(err == nil, "Four of eight tasks succeeded, and First returned %s.", conform.Said(err))
	t.Require(got%2 == 1 && 0 < got && got < n, "Tasks succeeded with 1, 3, 5 and 7, and First returned %d.", got)
}

// listensAmongWinners has one task wait for the end of its context while the others succeed at the same
// moment, in several calls of First side by side.
func listensAmongWinners(t *conform.T, s Subject) {
	const races, n = 20, 8
	var returned atomic.Int32
	release := make(chan struct{})
	defer close(release)
	call := t.Call("%d times at once: First(ctx, %s), of which one waits for the end of its context and the others succeed together", races, conform.Count(1+n, "task"))
	for range races {
		together := probe.Barrier(n)
		tasks := slices.Repeat([]Task{func(context.Context) (int, error) { together(); return 1, nil }}, n)
		tasks = append(tasks, func(ctx context.Context) (int, error) {
			select {
			case <-ctx.Done():
			case <-release:
			}
			return 0, errors.New("cancelled")
		})
		go func() {
			_, _ = s.First(t.Context(), tasks...)
			returned.Add(1)
		}()
	}
	t.Wait()
	left := races - int(returned.Load())
	call.Returned("%d of them have returned", races-left)
	t.Require(left == 0, "In each of %d calls of First %d tasks succeeded at the same moment, and one more waited for the end of its context. In %d of them First did not cancel that context, though tasks had succeeded, and waits.", races, n, left)
}

// manyFail runs many tasks that fail after a second: what is not run at once comes later.
func manyFail(t *conform.T, s Subject) {
	const n = 1200
	var tasks []Task
	var errs []error
	for i := range n {
		errs = append(errs, fmt.Errorf("of task %d", i))
		tasks = append(tasks, deaf(time.Second, i, errs[i]))
	}
	began := t.Elapsed()
	call := t.Call("First(ctx, %s), each of which fails after 1s", conform.Count(n, "task"))
	_, err := s.First(t.Context(), tasks...)
	call.Returned("an error")
	t.OnTime("First returned", t.Elapsed()-began, time.Second, fmt.Sprintf("all of %d tasks run at the same time, so all had failed", n))
	joined(t, fmt.Sprintf("All of %d tasks failed", n), err, errs...)
}

// taskPanics has a task panic beside others, and requires that nobody recovers the panic, neither in the
// task's goroutine nor to panic with it in the caller's. The others win, so it panics when it is cancelled.
func taskPanics(t *conform.T, s Subject, what string, others ...Task) {
	fatal := t.Fatal()
	var carried atomic.Bool // to the caller
	caller, task := t.Named("caller"), t.Named("task %d", len(others))
	go func() {
		call := caller.Call("First(ctx, %s)", conform.Count(1+len(others), "task"))
		defer func() {
			if p := recover(); p != nil {
				carried.Store(true)
				call.Returned("panics: %v", p)
			}
		}()
		got, err := s.First(t.Context(), append(others, func(ctx context.Context) (int, error) {
			if len(others) > 0 {
				<-ctx.Done()
			}
			task.Note("panics")
			panic(fatal)
		})...)
		call.Returned("%d, %s", got, conform.Said(err))
	}()
	t.Wait()
	t.Require(!carried.Load(), "%s, and the panic came to First's caller: the task ran in the caller's goroutine, or the panic was carried there. It should have ended the process, in the task's own goroutine.", what)
	t.Require(fatal.Unrecovered(), "%s, and First recovered the panic: it should have ended the process, in the task's goroutine.", what)
}

// inherits looks at the context that tasks get: it is derived from ctx, with its values and its deadline.
func inherits(t *conform.T, s Subject) {
	type key struct{}
	ctx, cancel := context.WithTimeout(context.WithValue(t.Context(), key{}, "value"), time.Hour)
	defer cancel()
	given := make(chan context.Context, 2)
	task := func(ctx context.Context) (int, error) { given <- ctx; return 1, nil }
	got, err := first(t, s, ctx, task, task)
	won(t, got, err, 1)
	want, _ := ctx.Deadline()
	for range 2 {
		its := <-given
		deadline, ok := its.Deadline()
		t.Require(its.Value(key{}) == "value", "ctx has a value, and the context that First gave to a task does not have it: it is not derived from ctx.")
		t.Require(ok && deadline.Equal(want), "ctx has a deadline, and the context that First gave to a task does not have it: it is not derived from ctx.")
	}
}

// signsOff looks at what is registered with ctx when First has returned: ctx may live on for months.
func signsOff(t *conform.T, s Subject) {
	for _, how := range []error{nil, errors.New("refused")} {
		ctx := conform.NewRegistry(t.Context())
		call := t.Call("First(ctx, 2 tasks), each of which returns %s", conform.Said(how))
		_, _ = s.First(ctx, deaf(time.Second, 1, how), deaf(2*time.Second, 2, how))
		call.Returned("")
		t.Wait()
		held := ctx.End()
		unregistered(t, held, "First has returned")
	}
}

// beforeTheBegin calls First with a context that has been cancelled, with tasks and without.
func beforeTheBegin(t *conform.T, s Subject) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var started atomic.Int32
	task := func(context.Context) (int, error) { started.Add(1); return 1, nil }
	for n := range 3 {
		_, err := first(t, s, ctx, slices.Repeat([]Task{task}, n)...)
		t.Require(err == context.Canceled, "ctx had been cancelled before, and First of %s returned %s: it should have returned ctx.Err().", conform.Count(n, "task"), conform.Said(err))
	}
	t.Wait()
	t.Require(started.Load() == 0, "ctx had been cancelled before First was called, and it started a task.")
}

// afterTheEnd runs tasks that do not listen to their context, and return something of their own after
// ctx has ended.
func afterTheEnd(t *conform.T, s Subject) {
	refused := []error{errors.New("refused"), errors.New("refused, too"), errors.New("refused as well")}
	for n := 1; n <= len(refused); n++ {
		failLate(t, s, "was cancelled", time.Hour, refused[:n])
		failLate(t, s, "passed its deadline", time.Second, refused[:n])
	}
	ctx, cancel := context.WithCancel(t.Context())
	soon(t, cancel)
	_, err := first(t, s, ctx, deaf(2*time.Second, 1, refused[0]), after(time.Hour, 2, nil), deaf(3*time.Second, 3, refused[1]))
	joined(t, "ctx was cancelled, so task 1 failed with the Err of its context, and tasks 0 and 2 with errors of their own", err, refused[0], context.Canceled, refused[1])

	ctx, end := context.WithTimeout(t.Context(), time.Second)
	defer end()
	t.Ends(ctx)
	got, err := first(t, s, ctx, after(time.Hour, 1, nil), deaf(2*time.Second, 2, nil))
	won(t, got, err, 2) // after the deadline, and all the same
}

// oneSucceeds ends ctx while all tasks wait for that: one of them succeeds all the same, and the others fail at the
// same moment.
func oneSucceeds(t *conform.T, s Subject) {
	const n = 6
	for try := range 5 * n {
		ctx, cancel := context.WithCancel(t.Context())
		soon(t, cancel)
		tasks := make([]Task, n)
		for i := range tasks {
			tasks[i] = func(ctx context.Context) (int, error) {
				<-ctx.Done()
				if i == try%n {
					return i + 1, nil
				}
				return 0, ctx.Err()
			}
		}
		got, err := first(t, s, ctx, tasks...)
		t.Require(err == nil, "ctx was cancelled. Then, at the same moment, task %d of %d succeeded and the others failed, and First returned %s: a task that still succeeds has succeeded.", try%n, n, conform.Said(err))
		won(t, got, err, try%n+1)
	}
}

// justInTime calls First when its ctx has next to no time left, and is not done.
func justInTime(t *conform.T, s Subject) {
	for n := 1; n <= 3; n++ {
		ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
		t.Note("the deadline of ctx is in 1ns")
		got, err := first(t, s, ctx, slices.Repeat([]Task{func(context.Context) (int, error) { return 1, nil }}, n)...)
		cancel()
		t.Require(err == nil, "The deadline of ctx was near, but ctx was not done when First was called with %s, each of which succeeds at once. First returned %s.", conform.Count(n, "task"), conform.Said(err))
		won(t, got, err, 1)
	}
}

// failLate runs tasks that fail, each with an error of its own and beside a value, when ctx has ended: by its
// deadline, if that is before soon.
func failLate(t *conform.T, s Subject, how string, deadline time.Duration, refused []error) {
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	if t.Ends(ctx); deadline > time.Second {
		soon(t, cancel)
	}
	var tasks []Task
	for i, err := range refused {
		tasks = append(tasks, deaf(time.Duration(2+i)*time.Second, i+1, err))
	}
	what := fmt.Sprintf("ctx %s, and then %s failed with errors of their own", how, conform.Count(len(tasks), "task"))
	if len(tasks) == 1 {
		what = fmt.Sprintf("ctx %s, and then the only task failed with an error of its own", how)
	}
	got, err := first(t, s, ctx, tasks...)
	t.Require(got == 0, "%s, and First returned %d, the value of a task that had failed: it returns the zero value.", what, got)
	joined(t, what, err, refused...)
}

// passesCause ends ctx with a cause, which the context of a task, derived from ctx, has as well.
func passesCause(t *conform.T, s Subject) {
	lost := errors.New("lease lost")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	var cause error
	a := t.Named("task 0")
	_, _ = first(t, s, ctx, func(its context.Context) (int, error) {
		a.Do(func() { cancel(lost) }, "cancels ctx with the cause %s", conform.Said(lost))
		<-its.Done()
		cause = context.Cause(its)
		return 0, its.Err()
	})
	t.Require(cause == lost, "A task cancelled ctx with %s as its cause, and context.Cause of the context that First gave to the task is %s: that context is not derived from ctx.", conform.Said(lost), conform.Said(cause))
}

// endsAtOnce runs many tasks, of which the first to begin ends the context of the others: First may be
// starting them then.
func endsAtOnce(t *conform.T, s Subject, how string, value error) {
	const n = 500
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var ran atomic.Int32
	tasks := slices.Repeat([]Task{func(context.Context) (int, error) {
		ran.Add(1)
		if value != nil {
			cancel()
		}
		return 0, value
	}}, n)
	call := t.Call("First(ctx, %s), each of which %s", conform.Count(n, "task"), how)
	_, err := s.First(ctx, tasks...)
	call.Returned("%s", conform.Said(err))
	t.Require(ran.Load() == n, "Each of %d tasks %s, so the context ended while First was starting others. It runs every task, and it ran %d.", n, how, ran.Load())
}

var hiddenChannels = []conform.Case[Subject]{
	{
		Name:   "or-done-ends-with-ctx",
		Points: 5,
		Func:   "OrDone",
		Rule:   "The loop ends as soon as ctx is done, while it waits for a value as well as when values are ready, and takes nothing more.",
		Why:    "A controller that has lost its lease must not take one more key, however many are waiting.",
		Hint: []string{
			"Where does your loop block? What else does it listen to there?",
			"A select with two ready cases picks one at random. What checks ctx before the select?",
		},
		Contract: []string{
			"The loop ends as soon as ctx is done, also while it waits for a value.",
			"If ctx is done by the time the loop asks for its next value, the loop gets none and takes none out of in, even if in has values ready.",
			"A value that arrives at the very moment of the cancellation may be yielded or dropped.",
			"Every value that it has not been given is still in the channel.",
			"A nil channel never sends and never closes.",
		},
		Source: "The Go Programming Language Specification, Select statements: uniform pseudo-random selection",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			ctx, cancel := context.WithCancel(t.Context())
			soon(t, cancel)
			t.Do(func() {
				for range s.OrDone(ctx, make(chan int)) {
				}
			}, "for range OrDone(ctx, a channel that never sends)")
			t.OnTime("The loop ended", t.Elapsed(), time.Second, "ctx was cancelled")
			for range 20 {
				full(t, s, "cancels ctx", func(cancel context.CancelFunc) { cancel() })
				full(t, s, "outlasts the deadline of ctx", func(context.CancelFunc) { time.Sleep(2 * time.Hour) })
			}
			for last := range 4 {
				sharesInput(t, s, last)
			}
			for _, how := range []string{"break", "panic", "call of runtime.Goexit"} {
				endsAndLeaves(t, s, how)
			}
			busy(t, s)
			neverSends(t, s)
			for range 20 {
				comeTooLate(t, s)
			}
		},
	},
	{
		Name:   "merge-hears-every-input",
		Points: 4,
		Func:   "Merge",
		Rule:   "A silent input delays no other.",
		Why:    "A node that sends no heartbeat must not keep the heartbeats of all others from being read.",
		Hint: []string{
			"Do you empty one input after the other? What if the first one never says anything?",
			"Each input needs a goroutine of its own that waits for it.",
		},
		Contract: []string{
			"A silent input delays no other.",
			"A nil input counts as one that never sends and never closes.",
			"The caller may change the slice of inputs as soon as Merge has returned.",
		},
		Source: "Go blog, Go Concurrency Patterns: Pipelines and cancellation (fan-in)",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			ctx, cancel := context.WithCancel(t.Context())
			quiet, busy, late := make(chan int), make(chan int), make(chan int)
			names := map[chan int]string{quiet: "first", busy: "second", late: "fourth"}
			out := merge(t, open(), ctx, quiet, busy, nil, late)
			for i, in := range []chan int{busy, late, busy, quiet} {
				feed(t, names[in], in, i)
				got := conform.Do(t.Actor, func() int { return <-out }, "<-out")
				t.Require(got == i, "Merge delivered %d, and the only value that was sent is %d.", got, i)
			}
			t.Do(func() { close(quiet) }, "closes the first input")
			staysOpen(t, out, "the first of four inputs was closed, and the others were not")
			t.Do(func() { close(busy) }, "closes the second input")
			staysOpen(t, out, "two of four inputs were closed, and the others were not")
			feed(t, names[late], late, 9)
			t.Wait()
			got, more := <-out
			t.Require(more, "The first two inputs were closed, the fourth was still open and had a value, and Merge closed its channel.")
			t.Require(got == 9, "Merge delivered %d, and the only value that was sent is 9.", got)
			t.Do(cancel, "cancel()")
			silent(t, out)
			s := open()
			hears(t, s, 1201, 1200, false, func(chan int) {})
			hears(t, s, 301, 300, true, func(chan int) {})
			for range 5 {
				hears(t, s, 1, 0, true, nil)
			}
			for range 20 {
				hears(t, s, 5, 0, true, func(in chan int) { close(in) })
			}
		},
	},
	{
		Name:   "merge-ends-with-ctx",
		Long:   true,
		Points: 5,
		Func:   "Merge",
		Rule:   "When ctx is done Merge closes its channel, though no input closes and nobody reads. However it ends, it leaves nothing behind.",
		Why:    "Goroutines of stopped and timed-out watches stayed in the API server this way, blocked on a result that nobody took (kubernetes#25331, kubernetes#38670).",
		Hint: []string{
			"Count the places where your goroutines can block. The send is one of them.",
			"A select with ctx.Done() around the receive, and another around the send.",
		},
		Contract: []string{
			"After ctx is done Merge depends on nobody: its goroutines end and the channel closes even if nobody reads it and no input ever closes.",
			"The channel is closed when all inputs are closed and their values have been taken, or when ctx is done",
			"Then Merge's goroutines end, too, and no function of Merge stays registered with ctx.",
			"What is in an input after that stays there.",
			"No goroutine of Merge holds a mutex, be it a sync.RWMutex, that another one may want while it waits for an input or for the reader",
		},
		Source: "kubernetes#25331: watcher leaked on a channel that nobody read; kubernetes#38670: blocked on a full result after Stop",
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				s := open()
				ctx, cancel := context.WithCancel(t.Context())
				soon(t, cancel)
				silent(t, merge(t, s, ctx, make(chan int), nil, make(chan int)))
				t.OnTime("Merge's channel was closed", t.Elapsed(), time.Second, "ctx was cancelled")

				ctx, cancel = context.WithCancel(t.Context())
				soon(t, cancel)
				t.Note("the only input is nil: it never sends and never closes")
				silent(t, merge(t, s, ctx, nil))
				t.OnTime("With a nil input alone, Merge's channel was closed", t.Elapsed(), 2*time.Second, "ctx was cancelled")

				for n := 2; n <= 3; n++ {
					ctx, cancel = context.WithCancel(t.Context())
					out := merge(t, s, ctx, make([]<-chan int, n)...)
					t.Note("all inputs are nil: they never send and never close")
					staysOpen(t, out, "all inputs are nil, and ctx goes on")
					t.Do(cancel, "cancel()")
					isClosed(t, out, "All inputs are nil, and ctx was cancelled")
				}

				ctx, cancel = context.WithCancel(t.Context())
				soon(t, cancel)
				closed := make(chan int)
				close(closed)
				t.Note("one input is closed, and the other is nil: it never sends and never closes")
				silent(t, merge(t, s, ctx, closed, nil))
				t.OnTime("With a closed and a nil input, Merge's channel was closed", t.Elapsed(), 3*time.Second, "ctx was cancelled")

				ctx, cancel = context.WithCancel(t.Context())
				ready := []chan int{make(chan int, 4), make(chan int, 4)}
				for i := range 8 {
					ready[i%2] <- i
				}
				<-merge(t, s, ctx, ready[0], ready[1])
				t.Note("reads one value and no more")
				merge(t, s, ctx, ready[0])
				t.Note("reads nothing")
				t.Wait()
				t.Do(cancel, "cancel()")
				out := merge(t, s, ctx, make(chan int), nil) // ctx has ended
				isClosed(t, out, "ctx had ended before Merge was called")
				livesOn(t, s)
				for n := 1; n <= 3; n++ {
					holdsOne(t, s, n, false)
					holdsOne(t, s, n, true)
				}
				closesBeside(t, s)
				for taken := range 3 {
					losesInput(t, s, taken)
				}
				for range 20 {
					endTogether(t, s)
					nobodyReads(t, s)
				}
			})
			t.Copies(func(t *conform.T) {
				s := open()
				for tried := 0; tried < 100 && !t.Failed(); tried++ {
					cutShort(t, s)
				}
			})
		},
	},
	{
		Name:   "merge-does-not-hoard",
		Points: 4,
		Func:   "Merge",
		Rule:   "Merge takes at most one value of each input ahead of its reader.",
		Why:    "A buffer in the middle hides a slow consumer until the process is killed for its memory.",
		Hint: []string{
			"What is the capacity of the channel you return? Which memory holds what lies in it?",
			"Make it unbuffered: then a reader that stops slows the senders.",
		},
		Contract: []string{
			"of each input it takes at most one value that the reader has not taken yet, so a slow reader slows the senders down",
			"carries the values of all inputs: each value once, those of one input in their order",
			"No goroutine of Merge holds a mutex, be it a sync.RWMutex, that another one may want while it waits for an input or for the reader",
		},
		Source: "lab 03; kubernetes#105031: what a buffer that only grows costs",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for n, reads := range map[int]int{1: 20, 2: 20, 3: 20, 40: 3, 300: 2} {
				ahead(t, open(), n, 0, reads, alone)
			}
			for n := 1; n <= 3; n++ {
				for _, size := range []int{4, 64} {
					for _, other := range []string{alone, "nil", "closed", "closed later"} {
						ahead(t, open(), n, size, 10, other)
					}
				}
			}
			slowReader(t, open(), 1)
			slowReader(t, open(), 40)
		},
	},
}

// slowReader takes 100h for the first value of each round: Merge of n inputs waits, and loses nothing.
func slowReader(t *conform.T, s Subject, n int) {
	const size = 3
	inputs := make([]<-chan int, n)
	for i := range inputs {
		in := make(chan int, size)
		for v := range size {
			in <- 100*i + v
		}
		close(in)
		inputs[i] = in
	}
	out := merge(t, s, t.Context(), inputs...)
	came := make([]int, n)
	for got := range n * size {
		if got%n == 0 {
			time.Sleep(100 * time.Hour)
		}
		v, more := take(t, out)
		t.Require(more, "Merge has %s with %d values each, all of them closed, and ctx goes on. The reader pauses for 100h time and again, and Merge closed its channel when it had delivered %d of %d values.", conform.Count(n, "input"), size, got, n*size)
		i := v / 100
		t.Require(v == 100*i+came[i], "The next value of input %d is %d, the reader pauses for 100h now and then, and Merge delivered %d.", i, 100*i+came[i], v)
		came[i]++
	}
	silent(t, out)
}

// isClosed requires, once all is at rest, that out is closed because of why.
func isClosed(t *conform.T, out <-chan int, why string) {
	t.Wait()
	select {
	case v, more := <-out:
		t.Require(!more, "%s, no input had a value, and Merge delivered %d.", why, v)
		t.Note("sees that the merged channel is closed")
	default:
		t.Fatalf("%s, and Merge did not close its channel.", why)
	}
}

// losesInput has another reader take the values that lie in an input, when some have come out of Merge, and ends ctx.
func losesInput(t *conform.T, s Subject, taken int) {
	ctx, cancel := context.WithCancel(t.Context())
	in := make(chan int, 8)
	for v := range cap(in) {
		in <- v
	}
	out := merge(t, s, ctx, in)
	for range taken {
		take(t, out)
	}
	t.Wait()
	t.Do(func() {
		for len(in) > 0 {
			<-in
		}
	}, "takes what is left in the input")
	t.Wait()
	for tried, more := 0, true; more && tried < cap(in); tried++ {
		select {
		case v := <-out:
			t.Note("gets %d from the merged channel", v)
		default:
			more = false
		}
		t.Wait()
	}
	t.Do(cancel, "cancel()")
	isClosed(t, out, "Another reader has taken what was left in the only input, ctx was cancelled")
}

// livesOn closes all inputs of a Merge whose ctx goes on, some before Merge and some when their values have been
// taken, and looks at what is registered with ctx then.
func livesOn(t *conform.T, s Subject) {
	for _, n := range []int{2, 1, 0} {
		const size = 2
		ctx := conform.NewRegistry(t.Context())
		var late []chan int
		inputs := make([]<-chan int, n)
		for i := range inputs {
			in := make(chan int, size)
			for v := range size {
				in <- v
			}
			if inputs[i] = in; i > 0 {
				late = append(late, in)
			} else {
				close(in)
			}
		}
		out := merge(t, s, ctx, inputs...)
		for range n * size {
			_, more := take(t, out)
			t.Require(more, "Merge closed its channel before all values of %s had been taken, and ctx goes on.", conform.Count(n, "input"))
		}
		for _, in := range late {
			t.Do(func() { close(in) }, "close(in)")
		}
		isClosed(t, out, fmt.Sprintf("All of %s are closed and their values have been taken", conform.Count(n, "input")))
		held := ctx.End()
		unregistered(t, held, fmt.Sprintf("Merge of %s, all of them closed, has closed its channel", conform.Count(n, "input")))
	}
}

// holdsOne ends ctx while Merge waits for a reader, with values left in each of n inputs.
func holdsOne(t *conform.T, s Subject, n int, closed bool) {
	const size = 64
	ctx, cancel := context.WithCancel(t.Context())
	ins, inputs := make([]chan int, n), make([]<-chan int, n)
	for i := range ins {
		ins[i] = make(chan int, size)
		for v := range size {
			ins[i] <- v
		}
		if closed {
			close(ins[i])
		}
		inputs[i] = ins[i]
	}
	t.Note("each input has %d values, nobody reads", size)
	out := merge(t, s, ctx, inputs...)
	t.Wait()
	t.Do(cancel, "cancel()")
	t.Wait()
	for len(out) > 0 { // what lies in a buffer holds nobody
		<-out
	}
	select {
	case v, more := <-out:
		t.Require(!more, "ctx was cancelled while nobody read the merged channel, and after that a goroutine of Merge still offered the value %d: it should have ended at once.", v)
	default:
		t.Fatalf("ctx was cancelled while nobody read the merged channel, of %s, and Merge did not close it at once.", conform.Count(n, "input"))
	}
	for i, in := range ins {
		// A goroutine that has not noticed yet may receive some: a select that may choose takes 32 in one of some billion runs.
		t.Require(len(in) > size/2, "Input %d had %d values, nobody read the merged channel, ctx was cancelled, and %d are left in the input: Merge went on receiving from it, and dropped what it got.", i, size, len(in))
	}
}

// closesBeside closes an input while the value of another waits for the reader, and a third gets its value then.
func closesBeside(t *conform.T, s Subject) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	full, closing, late := make(chan int, 1), make(chan int), make(chan int, 1)
	out := merge(t, s, ctx, full, closing, late)
	t.Do(func() { full <- 1 }, "the first input gets 1")
	t.Wait()
	t.Do(func() { close(closing) }, "closes the second input")
	t.Wait()
	t.Do(func() { late <- 2 }, "the third input gets 2")
	t.Wait()
	sum := 0
	for range 2 {
		v, more := take(t, out)
		t.Require(more, "One of three inputs was closed, two had a value, and Merge closed its channel.")
		sum += v
	}
	t.Require(sum == 3, "The first input had the value 1 and the third 2, and Merge delivered two values whose sum is %d.", sum)
	t.Do(cancel, "cancel()")
	isClosed(t, out, "ctx was cancelled")
}

// endTogether closes all inputs and ends ctx in the same moment.
func endTogether(t *conform.T, s Subject) {
	ctx, cancel := context.WithCancel(t.Context())
	ins, inputs := make([]chan int, 8), make([]<-chan int, 8)
	for i := range ins {
		ins[i] = make(chan int)
		inputs[i] = ins[i]
	}
	out := merge(t, s, ctx, inputs...)
	t.Wait()
	t.Do(func() {
		for i, in := range ins {
			if i == len(ins)/2 {
				cancel()
			}
			close(in)
		}
	}, "closes four of eight inputs, ends ctx, and closes the other four")
	silent(t, out)
}

// nobodyReads ends ctx while Merge waits for values, has some ready before it looks again, and leaves.
func nobodyReads(t *conform.T, s Subject) {
	ctx, cancel := context.WithCancel(t.Context())
	in := make(chan int, 8)
	merge(t, s, ctx, in)
	t.Wait()
	t.Do(func() {
		cancel()
		for v := range cap(in) {
			in <- v
		}
	}, "cancel(); in <- 0; … in <- %d; nobody reads", cap(in)-1)
	t.Wait()
}

// hears merges n inputs, of which only number at sends: with the others, others is done. If change
// is true the caller uses its slice of them again at once.
func hears(t *conform.T, s Subject, n, at int, change bool, others func(in chan int)) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	late := make(chan int)
	inputs := make([]<-chan int, n)
	for i := range inputs {
		in := make(chan int)
		inputs[i] = in
		if i == at {
			inputs[i] = late
		} else {
			others(in)
		}
	}
	out := merge(t, s, ctx, inputs...)
	changed := ""
	if change {
		clear(inputs)
		t.Note("sets the elements of its slice of inputs to nil")
		changed = ", and the caller has set the elements of its slice to nil"
	}
	t.Note("does nothing for 100h")
	time.Sleep(100 * time.Hour)
	staysOpen(t, out, fmt.Sprintf("input %d was open: no value had come for 100h, and ctx goes on", at))
	feed(t, fmt.Sprintf("number %d", at), late, 1)
	t.Wait()
	select {
	case got, more := <-out:
		t.Require(more, "Input %d of %d was open and had a value, and Merge closed its channel.", at, n)
		t.Require(got == 1, "Merge delivered %d, and the only value that was sent is 1.", got)
	default:
		t.Fatalf("Inputs are counted from 0. Of %d, only number %d has a value, for which somebody sends%s: Merge does not receive it.", n, at, changed)
	}
	t.Do(cancel, "cancel()")
	isClosed(t, out, "ctx was cancelled")
}

// alone says to ahead that no input is beside those that have values.
const alone = ""

// ahead counts what a Merge of n inputs with buffers of size takes of each before somebody reads, and after each of
// some reads. One more input may be beside them: it is nil, it is closed, or it is closed after half of the reads.
func ahead(t *conform.T, s Subject, n, size, reads int, other string) {
	ctx, cancel := context.WithCancel(t.Context())
	inputs, sent := endless(ctx, n, size)
	read := make([]int, n)
	beside, with := make(chan int), ""
	switch other {
	case alone:
	case "nil":
		inputs = append(inputs, nil)
	default:
		inputs = append(inputs, beside)
	}
	if other == "closed" {
		close(beside)
	}
	if other != alone {
		with = fmt.Sprintf(" and one more that is %s", other)
	}
	look := func(when string) {
		t.Wait()
		for i := range n {
			taken := int(sent[i].Load()) - len(inputs[i])
			t.Require(taken-read[i] <= 1, "Merge of %s with buffers of %d%s took %s of input %d %s, of which it had delivered %d: it may be one ahead.",
				conform.Count(n, "input"), size, with, conform.Count(taken, "value"), i, when, read[i])
		}
	}
	out := merge(t, s, ctx, inputs...)
	look("before anybody read")
	for k := range reads {
		v, open := <-out
		t.Note("gets %d from the merged channel", v)
		t.Require(open, "The inputs were still open, and Merge closed its channel.")
		read[v/apart]++
		look(fmt.Sprintf("until %s had been read", conform.Count(k+1, "value")))
		if other == "closed later" && k == reads/2 {
			t.Do(func() { close(beside) }, "closes the input that has no values")
			look("after another input had been closed")
		}
	}
	time.Sleep(100 * time.Hour)
	look("while the reader paused for 100h")
	t.Do(cancel, "cancel()")
	collect(t, out)
}

// apart is how far the values of two inputs of endless lie from each other.
const apart = 1000

// endless makes n inputs with buffers of size, which get values until ctx ends, and counts them: input i gets
// apart*i and what follows.
func endless(ctx context.Context, n, size int) (inputs []<-chan int, sent []atomic.Int32) {
	inputs, sent = make([]<-chan int, n), make([]atomic.Int32, n)
	for i := range n {
		in := make(chan int, size)
		inputs[i] = in
		go func() {
			for v := apart * i; ; v++ {
				select {
				case in <- v:
					sent[i].Add(1)
				case <-ctx.Done():
					return
				}
			}
		}()
	}
	return inputs, sent
}

// cutShort cancels a Merge in the middle of its traffic: whatever closes the channel, nothing
// may be sent on it afterwards.
func cutShort(t *conform.T, s Subject) {
	const n, size = 4, 8
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	inputs := make([]<-chan int, n)
	for i := range inputs {
		in := make(chan int, size)
		for v := range size {
			in <- v
		}
		inputs[i] = in
	}
	out := s.Merge(ctx, inputs...)
	for range t.Rand().IntN(n * size / 2) {
		_, open := <-out
		t.Require(open, "The inputs were still open, and Merge closed its channel.")
	}
	cancel()
	for range out {
	}
}

// full ranges over a channel that always has values ready, in a loop that ends
// its own context, and over another whose context was done before.
func full(t *conform.T, s Subject, how string, end func(context.CancelFunc)) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	in := make(chan int, 16)
	for i := range 16 {
		in <- i
	}
	var got []int
	unused := s.OrDone(ctx, in)
	values := s.OrDone(ctx, in)
	t.Do(func() {
		for v := range values {
			if v > 2 {
				t.Breaks("the loop gets %d, and ctx has ended", v)
			}
			if got = append(got, v); v == 2 {
				t.Do(func() { end(cancel) }, "%s", how)
			}
		}
	}, "for v := range OrDone(ctx, in)")
	t.Require(slices.Equal(got, []int{0, 1, 2}), "The channel has the values 0 to 15, the loop %s when it got 2, and it should get 0, 1 and 2; it got %v.", how, got)
	t.Do(func() {
		for v := range s.OrDone(ctx, in) {
			t.Fatalf("ctx had ended before the loop began, and the loop got the value %d.", v)
		}
	}, "for v := range OrDone(ctx that has ended, in)")
	for name, values := range map[string]iter.Seq[int]{"that no loop has used": unused, "that a loop has used before": values} {
		t.Do(func() {
			for v := range values {
				t.Fatalf("OrDone was called, then ctx ended, and then a loop began over the iter.Seq, one %s: the loop got the value %d.", name, v)
			}
		}, "for v := range the iter.Seq of before ctx ended, %s", name)
	}
	t.Require(len(in) == 13, "The channel had 16 values, 3 of them came out before ctx ended, and %d are left in it: OrDone took values out of it that no loop got.", len(in))
}

// endsAndLeaves ranges over a channel that has values ready, in a loop that ends its own context and then breaks off.
func endsAndLeaves(t *conform.T, s Subject, how string) {
	const n = 8
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	in := make(chan int, n)
	for v := range n {
		in <- v
	}
	values := func(yield func(int) bool) {
		s.OrDone(ctx, in)(func(v int) bool {
			t.Do(cancel, "cancel()")
			return yield(v)
		})
	}
	got := conform.Do(t.Actor, func() []int { return leave(values, how) }, "for v := range OrDone(ctx, in), which cancels ctx and then ends with a %s", how)
	t.Wait()
	t.Require(slices.Equal(got, []int{0}), "The channel had the values 0 to %d, the loop cancelled ctx and ended with a %s when it got 0, and it got %v.", n-1, how, got)
	t.Require(len(in) == n-1, "The channel had %d values, the loop got one of them, cancelled ctx and then ended with a %s, and %d are left in the channel: OrDone took values that the loop never got.", n, how, len(in))
}

// busy ranges over an unbuffered channel at which a sender always waits, in a loop that cancels
// its own context.
func busy(t *conform.T, s Subject) {
	in, gone := make(chan int), make(chan struct{})
	defer close(gone)
	go func() {
		for v := 0; ; v++ {
			select {
			case in <- v:
			case <-gone:
				return
			}
		}
	}()
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		got := 0
		t.Do(func() {
			for range s.OrDone(ctx, in) {
				if got++; got == 1 {
					t.Wait() // the next value is ready
					t.Do(cancel, "cancel()")
				} else {
					t.Fatalf("The loop cancelled ctx when it had got a value, and it got %d.", got)
				}
			}
		}, "for range OrDone(ctx, a channel at which a sender always waits)")
		cancel()
		t.Require(got == 1, "A sender waits at the channel, and a loop that cancels ctx at its first value got %s.", conform.Count(got, "value"))
	}
}

// sharesInput has another reader take the values that lie in a channel, when a loop over it has got some:
// the loop waits then, and ctx ends.
func sharesInput(t *conform.T, s Subject, last int) {
	ctx, cancel := context.WithCancel(t.Context())
	soon(t, cancel)
	in, other := make(chan int, 8), t.Named("another reader")
	for v := range cap(in) {
		in <- v
	}
	began, ended := t.Elapsed(), make(chan int, 1)
	go func() {
		got := 0
		for v := range s.OrDone(ctx, in) {
			if got++; v != last {
				continue
			}
			other.Do(func() {
				for len(in) > 0 {
					<-in
				}
			}, "takes what is left in the channel")
		}
		ended <- got
	}()
	ranging := t.Call("for v := range OrDone(ctx, in), which another reader empties when the loop has got %d", last)
	select {
	case got := <-ended:
		ranging.Returned("%s", conform.Count(got, "value"))
	case <-time.After(time.Hour):
		t.Fatalf("ctx was cancelled %v ago, while the loop waited for a value, because another reader had taken those that were ready. The loop has not ended.", t.Elapsed()-began-time.Second)
	}
	t.OnTime("The loop ended", t.Elapsed()-began, time.Second, "ctx was cancelled")
}

// neverSends ranges over a nil channel.
func neverSends(t *conform.T, s Subject) {
	ctx, cancel := context.WithCancel(t.Context())
	soon(t, cancel)
	began := t.Elapsed()
	t.Do(func() {
		for v := range s.OrDone(ctx, nil) {
			t.Fatalf("The loop over a nil channel got the value %d.", v)
		}
	}, "for v := range OrDone(ctx, nil)")
	t.OnTime("The loop over a nil channel ended", t.Elapsed()-began, time.Second, "ctx was cancelled")
}

// comeTooLate cancels ctx while a loop waits, and has values ready before the loop looks again. One
// of them, at most, comes at the moment of the cancellation.
func comeTooLate(t *conform.T, s Subject) {
	const n = 8
	ctx, cancel := context.WithCancel(t.Context())
	in, sender := make(chan int, n), t.Named("sender")
	go func() {
		t.Wait() // the loop waits for a value
		sender.Do(func() {
			cancel()
			for v := range n {
				in <- v
			}
		}, "cancel(); in <- 0; … in <- %d", n-1)
	}()
	got := 0
	ranging := t.Call("for v := range OrDone(ctx, in)")
	for range s.OrDone(ctx, in) {
		got++
	}
	ranging.Returned("%s", conform.Count(got, "value"))
	t.Wait()
	t.Require(len(in) >= n-1, "ctx was cancelled while the loop waited for a value, and then %d values were sent. The loop got %d, and %d are left in the channel: OrDone goes on taking values out of it after the end of ctx.", n, got, len(in))
}

// joined requires that First joined the errors of its tasks, all of which failed: in their order, as they are.
func joined(t *conform.T, what string, err error, want ...error) {
	got := parts(err)
	t.Require(err != nil, "%s, and First returned no error.", what)
	all := got == nil || len(got) == len(want)
	t.Require(all || len(want) < 20, "%s, and the error that First returned joins only %d: it should join the errors of all tasks, in their order.", what, len(got))
	for i, e := range want {
		known := got == nil || slices.Contains(got, e)
		t.Require(known, "%s, and First returned %s: the error of task %d is missing, which is %s.", what, conform.Said(err), i, conform.Said(e))
	}
	t.Require(slices.Equal(got, want), "%s, and First returned %s: it should have made an error of errors.Join of the tasks' errors, %d in all, in the order of the tasks, and as they are.", what, conform.Said(err), len(want))
}

// parts takes apart what errors.Join put together.
func parts(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return nil
	}
	return joined.Unwrap()
}
