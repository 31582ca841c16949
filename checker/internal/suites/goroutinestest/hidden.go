package goroutinestest

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

var hidden = []conform.Case[Subject]{
	{
		Name:   "respects-limit",
		Long:   true,
		Points: 8,
		Func:   "Gather",
		Rule:   "At most limit tasks run at once.",
		Why:    "Five thousand pods deleted at once are five thousand requests to an API server that others need too.",
		Hint: []string{
			"What in Go has a fixed number of places, and blocks the next goroutine when all are taken?",
			"A channel with capacity limit is a counting semaphore: send to take a slot, receive to give it back.",
			"Take the slot before the go statement and give it back in a defer inside the goroutine.",
		},
		Contract: []string{"At most limit tasks run at once"},
		Source:   "The Go Memory Model, Channel communication: the kth receive on a channel with capacity C happens before the k+Cth send completes",
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				for _, limit := range []int{3, 10, 23, 1} { // 1 last: by then it is known whether other limits are kept
					crowd(t, open(), limit, func() { time.Sleep(time.Second) })
				}
				t.Note("now each task takes %v", 1000*time.Hour)
				crowd(t, open(), 5, func() { time.Sleep(1000 * time.Hour) })
			})
			t.Copies(func(t *conform.T) {
				crowd(t, open(), 1+t.Rand().IntN(4), func() {})
			})
			t.Copies(func(t *conform.T) { throng(t, open()) })
			t.Virtual(func(t *conform.T) { multitude(t, open()) })
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
			"The limit may be any int: try a negative one, one above the number of tasks, and math.MaxInt.",
		},
		Contract: []string{
			"and no fewer as long as a task waits for its turn",
			"limit <= 0 means that there is no bound.",
			"A limit may be far greater than the number of tasks: math.MaxInt is allowed.",
			"Any goroutine may call Gather at any time, a task too: calls do not wait for each other, each has a limit of its own, and nothing of one reaches another.",
			"At most limit tasks run at once",
		},
		Source: "controller-runtime pkg/internal/controller/controller.go: MaxConcurrentReconciles (workers)",
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) { reachesLimit(t, open()); shortOfTime(t, open()) })
			sideBySide(t, open())
			t.Virtual(func(t *conform.T) {
				for _, c := range []struct{ outer, inner int }{{1, 1}, {1, 3}, {2, 1}, {2, 2}, {0, 2}, {1, 0}, {2, -1}} {
					insideATask(t, open(), c.outer, c.inner)
				}
			})
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
		Contract: []string{"a slot that becomes free is used at once"},
		Source:   "x/sync errgroup/errgroup.go: Group.SetLimit",
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			const slow = 8 * time.Second
			var begun atomic.Int32
			var late sync.Once
			complete(t, open(), 2, repeat(9, func(a *conform.Actor, i int) (int, error) {
				nth := begun.Add(1)
				if due := time.Duration(nth-2) * time.Second; nth > 2 && t.Elapsed() > due {
					late.Do(func() { a.Breaks("begins, and a slot has been free since %v", due) })
				}
				if nth == 1 {
					time.Sleep(slow)
				} else {
					time.Sleep(time.Second)
				}
				return i, nil
			}))
			t.OnTime("With one task of 8s and eight of 1s, two at a time, Gather returned", t.Elapsed(), slow, "the eight short ones take turns beside the long one, and all end")
			passedBy(t, open())
			keepsPace(t, open())
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
		Contract: []string{
			"returns nil and the error of the task that failed first, as that task returned it",
			"The error of a task that had failed before ctx was cancelled is returned instead",
			"A task fails when it returns an error that is not nil, whatever the error is, or when it panics.",
			"Gather waits for those under way",
			"and nothing of one reaches another",
		},
		Source: "x/sync errgroup/errgroup.go: Group.Wait (returns the first non-nil error)",
		Check:  firstErrorWins,
	},
	{
		Name:   "error-cancels-the-rest",
		Points: 5,
		Func:   "Gather",
		Rule:   "Tasks get a context that is derived from ctx. It is cancelled when a task fails, but not when one succeeds.",
		Why:    "If one of three webhooks says no, waiting for the other two only makes the user wait.",
		Hint: []string{
			"Which context do the tasks get: the caller's, or one that you can cancel?",
			"context.WithCancel before the first task; call cancel where the first error is stored.",
		},
		Contract: []string{
			"It is cancelled when a task fails and when Gather returns, but not when a task succeeds.",
			"The context that tasks receive is derived from ctx.",
			"each has a limit of its own, and nothing of one reaches another",
			"a call whose ctx is a task's context, or derived from it, is cancelled when that context is",
			"A task fails when it returns an error that is not nil, whatever the error is, or when it panics.",
			"It calls each task at most once.",
		},
		Source: "x/sync errgroup/errgroup.go: WithContext",
		Mode:   conform.Virtual,
		Check:  errorCancelsTheRest,
	},
	{
		Name:   "error-starts-no-more",
		Long:   true,
		Points: 5,
		Func:   "Gather",
		Rule:   "After a task has failed, no further task is started.",
		Why:    "The ReplicaSet controller stops creating pods at the first 'quota exceeded'; it once sent five hundred such requests.",
		Hint: []string{
			"A select picks at random among the cases that are ready. What if a slot is free and the context is cancelled too?",
			"Look at the context once more before you start a task, outside the select.",
			"What does a task that has failed do first: give its slot back, or cancel the context?",
		},
		Contract: []string{
			"After a task has failed no further task is started",
			"A task fails when it returns an error that is not nil, whatever the error is, or when it panics.",
			"It calls each task at most once.",
		},
		Source: "kubernetes#49145, quota denial fired 500 creates",
		Check: func(t *conform.T, open func() Subject) {
			t.Copies(func(t *conform.T) { errorStartsNoMore(t, open()) })
			failTogether(t, open())
			t.Virtual(func(t *conform.T) { startsNoMore(t, open()) })
			stopsWithoutBound(t, open(), "A task failed", func(context.CancelFunc) error { return errTask })
		},
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
		Contract: []string{
			"Gather waits for those under way and returns nil and the error of the task that failed first",
			"It blocks, and does not poll, until every task that it started has returned",
		},
		Source: "x/sync errgroup/errgroup.go: Group.Wait (blocks until all function calls have returned)",
		Mode:   conform.Virtual,
		Check:  waitsAfterError,
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
		Contract: []string{
			"A task fails when it returns an error that is not nil, whatever the error is, or when it panics.",
			"The error of a task that had failed before ctx was cancelled is returned instead.",
			"nothing of one reaches another",
			"Gather waits for those under way",
			"A task that panics, as a nil task does in its goroutine when its turn comes, has failed with a *PanicError.",
			"The panic does not reach the caller's goroutine and does not end the process.",
			"Once every task has been started, what the tasks return decides, even if ctx is cancelled then",
			"Error says that a task panicked and with what.",
			"what the task panicked with, as recover gives it",
			"the error of the task that failed first, as that task returned it",
			"Stack shows where the task panicked: it is the stack of the task's goroutine with the function that panicked still on it, as runtime/debug.Stack gives it.",
			"A nil task has no function: then it shows the one that tried to call it.",
			"It does not change the slice of tasks, nor the array behind it.",
		},
		Source: "controller-runtime pkg/internal/controller/controller.go: RecoverPanic (true by default)",
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
		Contract: []string{
			"returns nil and the error of the task that failed first, as that task returned it",
			"A task that panics, as a nil task does in its goroutine when its turn comes, has failed with a *PanicError.",
		},
		Source: "The Go Memory Model: programs that modify data being simultaneously accessed by multiple goroutines must serialize such access",
		Mode:   conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			s, together := open(), probe.Barrier(8)
			got, err := gather(t, s, 0, repeat(8, func(a *conform.Actor, i int) (int, error) {
				together()
				if i%2 == 0 {
					return explode(a, "at once")
				}
				return 0, errTask
			})...)
			if _, _, panicked := s.PanicOf(err); panicked {
				t.Require(got == nil, "Gather returned an error and beside it the results %v, not nil.", got)
				return
			}
			failed(t, got, err, errTask, "the error of a task")
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
		Contract: []string{
			"no further task is started. Gather waits for those under way and returns nil and ctx.Err(), not the context's cause",
			"A task that panics, as a nil task does in its goroutine when its turn comes, has failed with a *PanicError.",
			"The end of a ctx of a type that package context does not know may reach the derived context a moment later, and tasks may be started until then.",
		},
		Source: "The Go Programming Language Specification, Select statements: uniform pseudo-random selection",
		Mode:   conform.Copies,
		Check:  cancelledBeforeStart,
	},
	{
		Name:   "cancelled-while-waiting",
		Long:   true,
		Points: 5,
		Func:   "Gather",
		Rule:   "When ctx is cancelled while tasks wait for their turn, none of them is started, and Gather returns once the running tasks have returned.",
		Why:    "SIGTERM gives a pod thirty seconds: it should finish the work it has begun and start nothing new.",
		Hint: []string{
			"Where does Gather block while all slots are taken? What else must it listen to there?",
			"A select on the slot and on ctx.Done().",
		},
		Contract: []string{
			"If ctx is cancelled before all tasks have been started, no further task is started.",
			"Gather waits for those under way and returns nil and ctx.Err(), not the context's cause.",
			"If a task fails only afterwards, Gather may return either its error or ctx.Err().",
			"The end of a ctx of a type that package context does not know may reach the derived context a moment later, and tasks may be started until then.",
			"It blocks, and does not poll, until every task that it started has returned",
		},
		Source: "Go blog, Go Concurrency Patterns: Context",
		Check:  cancelledWhileWaiting,
	},
	{
		Name:   "late-cancel-keeps-results",
		Points: 5,
		Func:   "Gather",
		Rule:   "Once every task has been started, what they return decides, even if ctx is cancelled: the results of all, or the first error.",
		Why:    "Finished work is not thrown away because the caller was about to leave.",
		Hint: []string{
			"After the last task was started, is there still a reason to look at ctx?",
			"A task that is told to stop, and returns its context's error, has failed like any other.",
		},
		Contract: []string{
			"Once every task has been started, what the tasks return decides, even if ctx is cancelled then",
			"Gather returns the results of all of them, or nil and the error of the task that failed first",
			"If ctx is cancelled before all tasks have been started, no further task is started. Gather waits for those under way and returns nil and ctx.Err()",
		},
		Source: "the contract of this lab",
		Mode:   conform.Virtual,
		Check:  lateCancelKeepsResults,
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
		Contract: []string{
			"It blocks, and does not poll, until every task that it started has returned, and leaves no goroutine behind.",
			"It is cancelled when a task fails and when Gather returns, but not when a task succeeds.",
		},
		Source: "Go context/context.go: WithCancel (canceling releases resources); go vet, lostcancel",
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) { leavesNothing(t, open(), t.Context()) })
			t.Virtual(func(t *conform.T) {
				distant, cancel := context.WithTimeout(t.Context(), 10000*time.Hour)
				defer cancel()
				leavesNothing(t, open(), distant)
			})
			t.Virtual(func(t *conform.T) { forNothing(t, open()) })
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
		Contract: []string{
			"returns their results in the order of the tasks, whatever the order in which they end",
			"It does not change the slice of tasks, nor the array behind it.",
		},
		Source: "The Go Memory Model; Go documentation, Data Race Detector",
		Mode:   conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			const n = 40
			s, limit, tasks := open(), t.Rand().IntN(8), make([]Task, n)
			for i := range tasks { // not in the history: fmt shares a pool of buffers, which would order them
				tasks[i] = func(context.Context) (int, error) { return i, nil }
			}
			got, err := run(t, s, t.Context(), limit, tasks)
			requireAll(t, n, got, err)
			same := !slices.ContainsFunc(tasks, func(task Task) bool { return task == nil })
			t.Require(same, "Gather put nil into the slice of tasks that it was given: the slice is the caller's, and Gather does not change it.")
			got, err = run(t, s, t.Context(), limit, tasks)
			ordered := slices.IsSorted(got)
			t.Require(err != nil || ordered, "Called once more with the same slice of tasks, Gather returned %v: the first call changed the slice.", got)
			requireAll(t, n, got, err)
			leavesTheSlice(t, s)
			leavesTheSliceOfAFailure(t, s, "a task failed", "a task cancelled ctx", "ctx had ended before")
		},
	},
}
