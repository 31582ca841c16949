package goroutinestest

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

var hidden = []conform.Case[Subject]{
	{
		Name:   "respects-limit",
		Points: 8,
		Func:   "Gather",
		Rule:   "At most limit tasks run at once.",
		Why:    "Five thousand pods deleted at once are five thousand requests to an API server that others need too.",
		Hint: []string{
			"What in Go has a fixed number of places, and blocks the next goroutine when all are taken?",
			"A channel with capacity limit is a counting semaphore: send to take a slot, receive to give it back.",
			"Take the slot before the go statement and give it back in a defer inside the goroutine.",
		},
		Source: "The Go Memory Model, Channel communication: the kth receive on a channel with capacity C happens before the k+Cth send completes",
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				for _, limit := range []int{1, 3, 10} {
					crowd(t, open(), limit, func() { time.Sleep(time.Second) })
				}
			})
			t.Copies(func(t *conform.T) {
				crowd(t, open(), 1+t.Rand().IntN(4), func() {})
			})
		},
	},
	{
		Name:   "reaches-limit",
		Points: 5,
		Func:   "Gather",
		Rule:   "As many tasks as the limit allows do run at once, as long as there are tasks.",
		Why:    "MaxConcurrentReconciles: 8 that works through keys one by one is a queue that only grows.",
		Hint: []string{
			"The tasks of this case wait until exactly limit of them are under way. Count the slots you really hand out.",
		},
		Source: "controller-runtime pkg/internal/controller/controller.go: MaxConcurrentReconciles (workers)",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, limit := range []int{1, 2, 5, 12} {
				together := probe.Barrier(limit)
				tasks := repeat(12, func(i int) (int, error) {
					if i < limit {
						together()
					}
					return i, nil
				})
				got, err := gather(t, open(), limit, tasks...)
				require.NoError(t, err, "Gather returned an error although no task failed.")
				require.Equal(t, upTo(len(tasks)), got, "Gather did not return the result of every task, in the order of the tasks.")
			}
		},
	},
	{
		Name:   "reuses-slots-at-once",
		Points: 5,
		Func:   "Gather",
		Rule:   "A slot that becomes free is used at once: a slow task delays only itself.",
		Why:    "One unreachable node must not delay the health checks of all others.",
		Hint: []string{
			"Do you start limit tasks, wait for all of them, and then start the next limit?",
			"Wait for one free slot, not for a whole batch: the semaphore already does this.",
		},
		Source: "x/sync errgroup/errgroup.go: Group.SetLimit",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			var begun atomic.Int32
			tasks := repeat(9, func(i int) (int, error) {
				if begun.Add(1) == 1 {
					time.Sleep(8 * time.Second)
				} else {
					time.Sleep(time.Second)
				}
				return i, nil
			})
			_, err := gather(t, open(), 2, tasks...)
			require.NoError(t, err, "Gather returned an error although no task failed.")
			require.Equal(t, 8*time.Second, t.Elapsed(),
				"One task of 8 s and eight of 1 s, two at a time, take 8 s if every free slot is used.")
		},
	},
	{
		Name:   "first-error-wins",
		Points: 5,
		Func:   "Gather",
		Rule:   "Gather returns nil and the error of the task that failed first, unchanged.",
		Why:    "The first failure is the cause; the ones that follow are mostly 'context canceled'.",
		Hint: []string{
			"Two tasks can fail at the same time. Which piece of sync lets only the first one through?",
			"sync.Once around storing the error. Cancel inside it, so that an error that comes from the cancellation is never first.",
		},
		Source: "x/sync errgroup/errgroup.go: Group.Wait (returns the first non-nil error)",
		Check:  firstErrorWins,
	},
	{
		Name:   "error-cancels-the-rest",
		Points: 5,
		Func:   "Gather",
		Rule:   "When a task fails, the context of all other tasks is cancelled.",
		Why:    "If one of three webhooks says no, waiting for the other two only makes the user wait.",
		Hint: []string{
			"Which context do the tasks get: the caller's, or one that you can cancel?",
			"context.WithCancel before the first task; call cancel where the first error is stored.",
		},
		Source: "x/sync errgroup/errgroup.go: WithContext",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			patient := func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() }
			_, err := gather(t, open(), 0, patient, patient,
				func(context.Context) (int, error) { time.Sleep(time.Second); return 0, errTask }, patient)
			require.True(t, err == errTask, "Gather did not return the error of the task that failed.")
		},
	},
	{
		Name:   "error-starts-no-more",
		Points: 5,
		Func:   "Gather",
		Rule:   "After a task has failed, no task that waits for its turn is started.",
		Why:    "The ReplicaSet controller stops creating pods at the first 'quota exceeded'; it once sent five hundred such requests.",
		Hint: []string{
			"A select picks at random among the cases that are ready. What if a slot is free and the context is cancelled too?",
			"Look at the context once more before you start a task, outside the select.",
		},
		Source: "kubernetes#49145, quota denial fired 500 creates",
		Mode:   conform.Copies,
		Check:  errorStartsNoMore,
	},
	{
		Name:   "waits-after-error",
		Points: 5,
		Func:   "Gather",
		Rule:   "Gather waits for the running tasks even when one of them has failed.",
		Why:    "A function that returns while its goroutines still write causes a data race in its caller.",
		Hint: []string{
			"Where does your function return when there is an error? What waits for the others then?",
			"Have one return, after the WaitGroup's Wait.",
		},
		Source: "x/sync errgroup/errgroup.go: Group.Wait (blocks until all function calls have returned)",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			var ended atomic.Bool
			underWay := make(chan struct{})
			_, err := gather(t, open(), 0,
				// A failure at once could keep the other task from being started at all.
				func(context.Context) (int, error) { <-underWay; return 0, errTask },
				func(context.Context) (int, error) { // deaf to its context
					close(underWay)
					time.Sleep(5 * time.Second)
					ended.Store(true)
					return 0, nil
				})
			require.True(t, err == errTask, "Gather did not return the error of the task that failed.")
			require.True(t, ended.Load(), "Gather returned while a task was still running.")
		},
	},
	{
		Name:   "panic-becomes-error",
		Points: 8,
		Func:   "Gather",
		Rule:   "A task that panics has failed with a *PanicError that holds the value and the stack of the panic.",
		Why:    "One reconciler with a nil map must not take down every other controller of the process.",
		Hint: []string{
			"A panic can only be recovered in the goroutine that panics. Where must the deferred call stand?",
			"Wrap the task: a function with a named error result and a deferred recover that sets it.",
			"Take the stack with runtime/debug.Stack inside the deferred function: there the frames of the panic are still on it.",
		},
		Source: "controller-runtime pkg/internal/controller/controller.go: RecoverPanic (true by default)",
		Mode:   conform.Virtual,
		Check:  panicBecomesError,
	},
	{
		Name:   "many-failures-at-once",
		Points: 8,
		Func:   "Gather",
		Rule:   "Any number of tasks may fail or panic at the same moment: Gather returns one of their errors, and there is no data race.",
		Why:    "When the API server goes away, everything fails in the same millisecond.",
		Hint: []string{
			"Look for a variable that two failing goroutines write.",
		},
		Source: "The Go Memory Model: programs that modify data being simultaneously accessed by multiple goroutines must serialize such access",
		Mode:   conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			together := probe.Barrier(8)
			tasks := repeat(8, func(i int) (int, error) {
				together()
				if i%2 == 0 {
					return explode("at once")
				}
				return 0, errTask
			})
			got, err := gather(t, s, 0, tasks...)
			_, _, panicked := s.PanicOf(err)
			require.True(t, panicked || err == errTask, "Gather returned an error that no task had failed with.")
			require.Nil(t, got, "Gather returned results beside an error.")
		},
	},
	{
		Name:   "cancelled-before-start",
		Points: 5,
		Func:   "Gather",
		Rule:   "With a context that is already cancelled, Gather starts nothing and returns ctx.Err().",
		Why:    "A controller that has lost its lease must not begin one more write.",
		Hint: []string{
			"A select with two ready cases picks one at random. Look at the context first.",
		},
		Source: "The Go Programming Language Specification, Select statements: uniform pseudo-random selection",
		Mode:   conform.Copies,
		Check:  cancelledBeforeStart,
	},
	{
		Name:   "cancelled-while-waiting",
		Points: 5,
		Func:   "Gather",
		Rule:   "When ctx is cancelled while tasks wait for their turn, none of them is started, and Gather returns once the running tasks have returned.",
		Why:    "SIGTERM gives a pod thirty seconds: it should finish the work it has begun and start nothing new.",
		Hint: []string{
			"Where does Gather block while all slots are taken? What else must it listen to there?",
			"A select on the slot and on ctx.Done().",
		},
		Source: "Go blog, Go Concurrency Patterns: Context",
		Check:  cancelledWhileWaiting,
	},
	{
		Name:   "late-cancel-keeps-results",
		Points: 5,
		Func:   "Gather",
		Rule:   "If every task was started and succeeded, Gather returns their results, even if ctx was cancelled meanwhile.",
		Why:    "Finished work is not thrown away because the caller was about to leave.",
		Hint: []string{
			"After the last task was started, is there still a reason to look at ctx?",
		},
		Source: "the contract of this lab",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			ctx, cancel := context.WithCancel(t.Context())
			tasks := repeat(3, func(i int) (int, error) {
				time.Sleep(time.Second)
				cancel()
				return i, nil
			})
			got, err := gatherCtx(t, open(), ctx, 0, tasks...)
			require.NoError(t, err, "Every task succeeded, and Gather returned an error.")
			require.Equal(t, []int{0, 1, 2}, got, "Every task succeeded, and Gather did not return their results.")
		},
	},
	{
		Name:   "leaves-nothing-behind",
		Points: 5,
		Func:   "Gather",
		Rule:   "When Gather has returned, its goroutines have ended and the context it gave to the tasks is cancelled.",
		Why:    "A controller runs for months: one goroutine or timer left by each call is an out-of-memory kill on some Sunday night.",
		Hint: []string{
			"Every context.WithCancel needs its cancel called on every path, success too.",
			"defer cancel() on the line after WithCancel.",
		},
		Source: "Go context/context.go: WithCancel (canceling releases resources); go vet, lostcancel",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			var given context.Context
			_, err := gather(t, open(), 2,
				func(ctx context.Context) (int, error) { given = ctx; return 0, nil },
				func(context.Context) (int, error) { return 0, nil })
			require.NoError(t, err, "Gather returned an error although no task failed.")
			require.NotNil(t, given, "Gather returned without an error and did not run its tasks.")
			require.Error(t, given.Err(), "Gather has returned and the context it gave to its tasks is still open.")
		},
	},
	{
		Name:   "results-are-not-raced-for",
		Points: 8,
		Func:   "Gather",
		Rule:   "Results travel from the tasks to the caller without a data race.",
		Why:    "A race that 'works on my machine' is a corrupted cache on an arm64 node.",
		Hint: []string{
			"append to a shared slice from many goroutines is a write to the same header from each of them.",
			"Different elements of one slice are different variables: writing them needs no lock.",
		},
		Source: "The Go Memory Model; Go documentation, Data Race Detector",
		Mode:   conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			const n = 40
			got, err := gather(t, open(), t.Rand().IntN(8), repeat(n, func(i int) (int, error) { return i, nil })...)
			require.NoError(t, err, "Gather returned an error although no task failed.")
			require.Len(t, got, n, "Gather returned another number of results than there were tasks.")
			for i, v := range got {
				require.Equal(t, i, v, "A result stands at the place of another task.")
			}
		},
	},
}

// crowd runs many tasks and counts how many of them are in it at once.
func crowd(t *conform.T, s Subject, limit int, work func()) {
	var running, most atomic.Int32
	tasks := repeat(24, func(i int) (int, error) {
		now := running.Add(1)
		for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
		}
		work()
		running.Add(-1)
		return i, nil
	})
	got, err := gather(t, s, limit, tasks...)
	require.NoError(t, err, "Gather returned an error although no task failed.")
	require.LessOrEqual(t, int(most.Load()), limit, "More tasks ran at once than the limit allows.")
	require.Equal(t, upTo(len(tasks)), got, "Gather did not return the result of every task, in the order of the tasks.")
}

// taskError is an error with an identity of its own.
type taskError struct{ name string }

func (e *taskError) Error() string { return e.name }

// explode panics from a function whose name the stack must show.
//
//go:noinline
func explode(value any) (int, error) { panic(value) }

// repeat makes n tasks that ignore their context.
func repeat(n int, task func(i int) (int, error)) []Task {
	tasks := make([]Task, n)
	for i := range tasks {
		tasks[i] = func(context.Context) (int, error) { return task(i) }
	}
	return tasks
}
