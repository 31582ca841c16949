package goroutinestest

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

var public = []conform.Case[Subject]{
	{
		Name:   "keeps-order",
		Points: 5,
		Func:   "Gather",
		Rule:   "Results stand in the order of the tasks, whatever the order in which the tasks end.",
		Why:    "A controller that asks ten nodes at once must know which answer came from which node.",
		Hint: []string{
			"Which goroutine knows the position of its result? Which one knows when it will be ready?",
			"Make the result slice full length before the first task starts. Goroutine i writes element i and nothing else.",
		},
		Contract: []string{"returns their results in the order of the tasks, whatever the order in which they end"},
		Source:   "x/sync errgroup/errgroup_test.go: ExampleGroup_parallel",
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			const n = 8
			tasks := make([]Task, n)
			for i := range tasks {
				a := t.Named("task %d", i)
				tasks[i] = func(context.Context) (int, error) {
					time.Sleep(time.Duration(n-i) * time.Second) // the last task ends first
					a.Note("returns %d", i)
					return i, nil
				}
			}
			s := open()
			got, err := run(t, s, t.Context(), 0, tasks)
			requireAll(t, n, got, err)
			nilsAmongResults(t, s)
		},
	},
	{
		Name:   "waits-for-all",
		Points: 5,
		Func:   "Gather",
		Rule:   "Gather waits, and does not poll, until every task it started has returned.",
		Why:    "A manager that stops before its controllers have stopped lets two leaders act at once.",
		Hint: []string{
			"What in package sync counts goroutines that are still running?",
			"A WaitGroup: add before the go statement, never inside the goroutine, or Wait may look too early. WaitGroup.Go does both.",
		},
		Contract: []string{
			"It blocks, and does not poll, until every task that it started has returned",
			"It is cancelled when a task fails and when Gather returns, but not when a task succeeds.",
		},
		Source: "Go sync/waitgroup.go: WaitGroup.Add (calls with a positive delta must happen before Wait)",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			const n = 6
			var running, ended atomic.Int32
			got, err := gather(t, open(), 3, repeat(n, func(_ *conform.Actor, i int) (int, error) {
				running.Add(1)
				defer running.Add(-1)
				time.Sleep(time.Duration(i) * time.Second)
				ended.Add(1)
				return i, nil
			})...)
			left := running.Load()
			t.Require(left == 0, "Gather returned while %d of its tasks were still running: it waits for all of them.", left)
			t.Require(err != nil || ended.Load() == n, "Gather returned without an error, and only %d of its %d tasks had run.", ended.Load(), n)
			requireAll(t, n, got, err)
			asleep(t, open())

			// While a task runs, there is something to wait for. Here there is none yet: the only
			// task may not have begun when Gather comes to its wait.
			for range 8 {
				var ran atomic.Bool
				got, err := gather(t, open(), 1, func(context.Context, *conform.Actor) (int, error) {
					ran.Store(true)
					return 0, nil
				})
				before := ran.Load()
				t.Wait()
				t.Require(before || err != nil, "Of %d tasks, three at a time, Gather waited for all. Of one task alone it did not: it returned without an error, and the task had not even begun.", n)
				requireAll(t, 1, got, err)
			}
		},
	},
	{
		Name:   "runs-at-once",
		Points: 5,
		Func:   "Gather",
		Rule:   "Tasks run in goroutines that Gather starts: with limit <= 0, all of them at the same time.",
		Why:    "Sixteen API calls of a second each should take one second, not sixteen.",
		Hint: []string{
			"The tasks of this case wait for each other. What happens if you call them one after the other?",
			"One go statement for each task; wait only after the loop.",
		},
		Contract: []string{
			"Gather runs the tasks in goroutines that it starts",
			"limit <= 0 means that there is no bound",
		},
		Source: "The Go Programming Language Specification, Go statements",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			const n = 16
			together := probe.Barrier(n)
			s := open()
			complete(t, s, 0, repeat(n, func(a *conform.Actor, i int) (int, error) {
				a.Do(together, "waits until all %d tasks run", n)
				return i, nil
			}))
			for _, limit := range []int{0, 1, 3} {
				notOnTheCallers(t, s, limit, 1)
				notOnTheCallers(t, s, limit, 4)
			}
		},
	},
	{
		Name:   "no-tasks",
		Points: 3,
		Func:   "Gather",
		Rule:   "With no tasks Gather returns an empty result and no error, even if ctx has ended.",
		Why:    "The list of pods to delete is empty most of the time; callers must not need a special case for it.",
		Hint: []string{
			"What is the capacity of a channel made for zero tasks, and who will receive from it?",
		},
		Contract: []string{"With no tasks, Gather returns an empty result and no error, even if ctx has ended."},
		Source:   "the contract of this lab",
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			complete(t, s, 0, repeat(1, succeed))
			cancelled, cancel := context.WithCancel(t.Context())
			t.Do(cancel, "cancel()")
			late, end := context.WithDeadline(t.Context(), time.Unix(0, 0))
			defer end()
			var wrong []string
			for _, limit := range []int{-1, 0, 4} {
				for _, ctx := range []context.Context{t.Context(), cancelled, late} {
					got, err := gatherCtx(t, s, ctx, limit)
					if err != nil {
						wrong = append(wrong, fmt.Sprintf("with limit %d and a ctx%s it returned %s", limit, state(ctx), conform.Said(err)))
					}
					t.Require(len(got) == 0, "There were no tasks, and Gather returned %s: %v.", conform.Count(len(got), "result"), got)
				}
			}
			t.Require(len(wrong) == 0, "With no tasks Gather returns no error, even if ctx has ended, and in %d of 9 calls it returned one: %s.", len(wrong), strings.Join(wrong, "; "))
		},
	},
}

// nilsAmongResults has some tasks return nil or an error as a result, which is a result like any other.
func nilsAmongResults(t *conform.T, s Subject) {
	want := []any{nil, "one", nil, errTask, "four", nil}
	tasks := make([]func(context.Context) (any, error), len(want))
	for i, value := range want {
		tasks[i] = func(context.Context) (any, error) { return value, nil }
	}
	got, err := conform.Do2(t.Actor, func() ([]any, error) { return s.GatherAny(t.Context(), 2, tasks...) },
		"Gather(ctx, 2, tasks that return %v)", want)
	t.Require(err == nil, "The tasks returned the results %v and no errors, and Gather returned %s.", want, conform.Said(err))
	t.Require(slices.Equal(got, want), "The tasks returned %v, and Gather returned %v: a result may be nil, or an error.", want, got)
}

// notOnTheCallers has each of n tasks look whether it runs in the goroutine that called Gather.
func notOnTheCallers(t *conform.T, s Subject, limit, n int) {
	caller := goroutine()
	complete(t, s, limit, repeat(n, func(a *conform.Actor, i int) (int, error) {
		t.Assert(goroutine() != caller, "With %s and limit %d, task %d ran in the goroutine that had called Gather: tasks run in goroutines that Gather starts.",
			conform.Count(n, "task"), limit, i)
		return i, nil
	}))
}

// goroutine is the number of the goroutine that calls it, as its stack begins.
func goroutine() string { return strings.Fields(string(debug.Stack()))[1] }

// asleep requires that nothing of the subject runs while it waits, the first time for a slot, the
// second time for the last task, and that it waits however long that takes. It begins with a short
// time, so that a Gather that polls often is found out soon.
func asleep(t *conform.T, s Subject) {
	for _, quiet := range []time.Duration{time.Minute, 2 * time.Hour, 1000 * time.Hour} {
		called := t.Elapsed()
		var begun atomic.Int32
		var over atomic.Bool // a Gather that does not wait has cancelled the context: that is what its results show
		got, err := gather(t, s, 1, repeatCtx(2, func(ctx context.Context, _ *conform.Actor, i int) (int, error) {
			waiting := ""
			if begun.Add(1) == 1 {
				waiting = ", while another one waited for its turn,"
			}
			before := probe.Wakeups()
			time.Sleep(quiet)
			woken, polled := probe.Woken(before)
			t.Assert(!polled, "A task slept for %v, and about %d times something of Gather woke up to look: Gather blocks, and does not poll.", quiet, woken)
			t.Assert(over.Load() || ctx.Err() == nil, "A task took %v%s and its context ended before it returned (%s). No task had failed, and Gather's ctx had no deadline and had not ended.", quiet, waiting, conform.Said(ctx.Err()))
			return i, nil
		})...)
		over.Store(true)
		t.Require(err == nil, "Gather was given two tasks of %v each, with limit 1, and none failed. Its ctx had not ended, and %v after the call it returned %s.", quiet, t.Elapsed()-called, conform.Said(err))
		requireAll(t, 2, got, err)
		if t.Failed() { // what polls would do so many more times
			return
		}
	}
}

// gather calls the subject and writes the call into the history.
func gather(t *conform.T, s Subject, limit int, jobs ...job) ([]int, error) {
	return gatherCtx(t, s, t.Context(), limit, jobs...)
}

func gatherCtx(t *conform.T, s Subject, ctx context.Context, limit int, jobs ...job) ([]int, error) {
	tasks := make([]Task, len(jobs))
	for i, do := range jobs {
		a := t.Named("task %d", i) // here, because an actor that is made orders the goroutines that make one
		tasks[i] = func(ctx context.Context) (int, error) {
			return conform.Do2(a, func() (int, error) { return do(ctx, a) }, "runs")
		}
	}
	return run(t, s, ctx, limit, tasks)
}

// run calls Gather with tasks that are no actors of the history.
func run(t *conform.T, s Subject, ctx context.Context, limit int, tasks []Task) ([]int, error) {
	return conform.Do2(t.Actor, func() ([]int, error) { return s.Gather(ctx, limit, tasks...) },
		"Gather(ctx%s, %d, %s)", state(ctx), limit, conform.Count(len(tasks), "task"))
}

// state says of a context that it has ended, and nothing of one that has not.
func state(ctx context.Context) string {
	if ctx.Err() == nil {
		return ""
	}
	return " that has ended"
}

// complete gathers jobs that return their own numbers, and requires the results of all.
func complete(t *conform.T, s Subject, limit int, jobs []job) {
	got, err := gather(t, s, limit, jobs...)
	requireAll(t, len(jobs), got, err)
}

// requireAll requires the results of n tasks that returned their own numbers.
func requireAll(t *conform.T, n int, got []int, err error) {
	t.Require(err == nil, "No task failed, and Gather returned %s.", conform.Said(err))
	t.Require(len(got) == n, "Gather was given %s, and returned %s without an error.", conform.Count(n, "task"), conform.Count(len(got), "result"))
	for i, v := range got {
		t.Require(v == i, "Task %d returned %d, and element %d of Gather's results is %d: %v.", i, i, i, v, got)
	}
}

// repeat makes n jobs that ignore their context.
func repeat(n int, do func(a *conform.Actor, i int) (int, error)) []job {
	jobs := make([]job, n)
	for i := range jobs {
		jobs[i] = func(_ context.Context, a *conform.Actor) (int, error) { return do(a, i) }
	}
	return jobs
}

// repeatCtx makes n jobs that look at their context.
func repeatCtx(n int, do func(ctx context.Context, a *conform.Actor, i int) (int, error)) []job {
	jobs := make([]job, n)
	for i := range jobs {
		jobs[i] = func(ctx context.Context, a *conform.Actor) (int, error) { return do(ctx, a, i) }
	}
	return jobs
}

// succeed is what most jobs do.
func succeed(_ *conform.Actor, i int) (int, error) { return i, nil }

// patient waits for the end of its context, and fails with it.
func patient(ctx context.Context, a *conform.Actor) (int, error) {
	a.Do(func() { <-ctx.Done() }, "waits until its context is cancelled")
	return 0, ctx.Err()
}
