package goroutinestest

import (
	"context"
	"fmt"
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
			got, err := run(t, open(), t.Context(), 0, tasks)
			requireAll(t, n, got, err)
		},
	},
	{
		Name:   "waits-for-all",
		Points: 5,
		Func:   "Gather",
		Rule:   "When Gather returns, every task it started has returned.",
		Why:    "A manager that stops before its controllers have stopped lets two leaders act at once.",
		Hint: []string{
			"What in package sync counts goroutines that are still running?",
			"A WaitGroup: add before the go statement, never inside the goroutine, or Wait may look too early. WaitGroup.Go does both.",
		},
		Contract: []string{"It blocks, and does not poll, until every task that it started has returned"},
		Source:   "Go sync/waitgroup.go: WaitGroup.Add (calls with a positive delta must happen before Wait)",
		Public:   true,
		Mode:     conform.Virtual,
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
		Rule:   "With limit <= 0 every task runs at the same time as every other.",
		Why:    "Sixteen API calls of a second each should take one second, not sixteen.",
		Hint: []string{
			"The tasks of this case wait for each other. What happens if you call them one after the other?",
			"One go statement for each task; wait only after the loop.",
		},
		Contract: []string{"limit <= 0 means that there is no bound"},
		Source:   "The Go Programming Language Specification, Go statements",
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			const n = 16
			together := probe.Barrier(n)
			complete(t, open(), 0, repeat(n, func(a *conform.Actor, i int) (int, error) {
				a.Do(together, "waits until all %d tasks run", n)
				return i, nil
			}))
		},
	},
	{
		Name:   "no-tasks",
		Points: 3,
		Func:   "Gather",
		Rule:   "With no tasks Gather returns an empty result and no error, even if ctx is cancelled.",
		Why:    "The list of pods to delete is empty most of the time; callers must not need a special case for it.",
		Hint: []string{
			"What is the capacity of a channel made for zero tasks, and who will receive from it?",
		},
		Contract: []string{"With no tasks, Gather returns an empty result and no error, whatever ctx is."},
		Source:   "the contract of this lab",
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			complete(t, s, 0, repeat(1, succeed))
			cancelled, cancel := context.WithCancel(t.Context())
			t.Do(cancel, "cancel()")
			var wrong []string
			for _, limit := range []int{-1, 0, 4} {
				for _, ctx := range []context.Context{t.Context(), cancelled} {
					got, err := gatherCtx(t, s, ctx, limit)
					if err != nil {
						wrong = append(wrong, fmt.Sprintf("with limit %d and a ctx%s it returned %s", limit, state(ctx), conform.Said(err)))
					}
					t.Require(len(got) == 0, "There were no tasks, and Gather returned %s: %v.", conform.Count(len(got), "result"), got)
				}
			}
			t.Require(len(wrong) == 0, "With no tasks Gather returns no error, whatever ctx is, and in %d of 6 calls it did: %s.", len(wrong), strings.Join(wrong, "; "))
		},
	},
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

// succeed is what most jobs do.
func succeed(_ *conform.Actor, i int) (int, error) { return i, nil }

// patient waits for the end of its context, and fails with it.
func patient(ctx context.Context, a *conform.Actor) (int, error) {
	a.Do(func() { <-ctx.Done() }, "waits until its context is cancelled")
	return 0, ctx.Err()
}
