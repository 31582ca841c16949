package goroutinestest

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"

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
			complete(t, open(), 0, repeat(n, func(i int) (int, error) {
				time.Sleep(time.Duration(n-i) * time.Second) // the last task ends first
				t.Note("task %d returns", i)
				return i, nil
			}))
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
		Contract: []string{"It blocks until every task that it started has returned"},
		Source:   "Go sync/waitgroup.go: WaitGroup.Add (calls with a positive delta must happen before Wait)",
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			var running atomic.Int32
			complete(t, open(), 3, repeat(6, func(i int) (int, error) {
				running.Add(1)
				defer running.Add(-1)
				time.Sleep(time.Duration(i) * time.Second)
				return i, nil
			}))
			require.Zero(t, running.Load(), "Gather returned while tasks were still running.")
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
			complete(t, open(), 0, repeat(n, func(i int) (int, error) {
				together()
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
			complete(t, s, 0, repeat(2, succeed))
			cancelled, cancel := context.WithCancel(t.Context())
			cancel()
			for _, limit := range []int{-1, 0, 4} {
				for _, ctx := range []context.Context{t.Context(), cancelled} {
					got, err := gatherCtx(t, s, ctx, limit)
					require.NoError(t, err, "Gather returned an error although there was no task to fail.")
					require.Empty(t, got, "Gather returned results although there were no tasks.")
				}
			}
		},
	},
}

// gather calls the subject and writes the call into the history.
func gather(t *conform.T, s Subject, limit int, tasks ...Task) ([]int, error) {
	return gatherCtx(t, s, t.Context(), limit, tasks...)
}

func gatherCtx(t *conform.T, s Subject, ctx context.Context, limit int, tasks ...Task) ([]int, error) {
	return conform.Do2(t.Actor, func() ([]int, error) { return s.Gather(ctx, limit, tasks...) }, "Gather(ctx, %d, %d tasks)", limit, len(tasks))
}

// complete gathers tasks that return their own numbers, and requires the results of all.
func complete(t *conform.T, s Subject, limit int, tasks []Task) {
	want := make([]int, len(tasks))
	for i := range want {
		want[i] = i
	}
	got, err := gather(t, s, limit, tasks...)
	require.NoError(t, err, "Gather returned an error although no task failed.")
	require.Equal(t, want, got, "Gather did not return the result of every task, in the order of the tasks.")
}

// repeat makes n tasks that ignore their context.
func repeat(n int, task func(i int) (int, error)) []Task {
	tasks := make([]Task, n)
	for i := range tasks {
		tasks[i] = func(context.Context) (int, error) { return task(i) }
	}
	return tasks
}

// succeed is what most tasks do.
func succeed(i int) (int, error) { return i, nil }
