package channelstest

import (
	"context"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

var public = []conform.Case[Subject]{
	{
		Name:   "every-job-once",
		Points: 5,
		Func:   "Pool",
		Rule:   "Each job is worked on exactly once and gives exactly one result.",
		Why:    "A key that a controller takes from its queue and loses is an object that no controller looks after.",
		Hint: []string{
			"How many times does a value that is sent on a channel come out of it, if many receive?",
			"All workers receive from the same channel: the channel hands each value to one of them.",
			"For each job that comes in, call work once and send what it returns once.",
		},
		Contract: []string{"is given to work exactly once, and what work returns is sent on the returned channel exactly once"},
		Source:   "The Go Programming Language Specification, Channel types: a channel may be used by any number of goroutines without further synchronization",
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			const n = 20
			var calls atomic.Int32
			jobs, _ := send(t, t.Context(), n)
			complete(t, pool(t, open(), t.Context(), 3, jobs, recorded(t, n, func(_ context.Context, _ *conform.Actor, job int) string {
				calls.Add(1)
				return answer(job)
			})), n)
			t.Require(calls.Load() == n, "There were %d jobs, and work was called %d times.", n, calls.Load())

			jobs, _ = send(t, t.Context(), n)
			results := drain(t, pool(t, open(), t.Context(), 3, jobs, func(context.Context, int) string { return "" }), n)
			t.Require(len(results) == n, "There were %d jobs, work returned \"\" for each, and %d results came.", n, len(results))
			nilAndEqual(t, open())
		},
	},
	{
		Name:   "closes-when-done",
		Points: 5,
		Func:   "Pool",
		Rule:   "When jobs is closed and the last result was taken, the channel of results is closed.",
		Why:    "A reader that ranges over the results must learn that there are no more, or it waits for ever.",
		Hint: []string{
			"How does the reader of your channel learn that nothing more will come?",
			"What has to be over before the channel may be closed, and who knows when it is?",
			"A goroutine that does nothing but wait for all workers, and then closes.",
		},
		Contract: []string{"it is closed once, when jobs is closed and drained and the last result has been taken"},
		Source:   "Go blog, Go Concurrency Patterns: Pipelines and cancellation: a WaitGroup and a goroutine that closes",
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			jobs := make(chan int, 1)
			results := pool(t, open(), t.Context(), 2, jobs, recorded(t, 8, doEcho))
			t.Do(func() { jobs <- 7 }, "jobs <- 7")
			result := next(t, results)
			t.Require(result == answer(7), "work returned %q for job 7, and the pool sent %q.", answer(7), result)
			t.Wait()
			stillOpen(t, results, "jobs was still open")
			t.Do(func() { close(jobs) }, "close(jobs)")
			drain(t, results, 0)
		},
	},
	{
		Name:   "returns-at-once",
		Points: 5,
		Func:   "Pool",
		Rule:   "Pool returns before any job has come and before any result was taken.",
		Why:    "The caller has to start reading, and it cannot read from a channel that it has not been given.",
		Hint: []string{
			"Who can take the first result while Pool has not returned?",
			"Everything that can block belongs in a goroutine: receiving, working, sending, and the wait before the close.",
		},
		Contract: []string{"It returns at once; goroutines of the pool do the work."},
		Source:   "the contract of this lab",
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			// The jobs are there and more of them than workers: a pool that
			// wants to be rid of its results first never returns.
			complete(t, pool(t, open(), t.Context(), 2, closed(5), recorded(t, 5, doEcho)), 5)

			jobs := make(chan int)
			results := pool(t, open(), t.Context(), 2, jobs, echo) // nobody sends until it has returned
			t.Do(func() { close(jobs) }, "close(jobs)")
			drain(t, results, 0)
		},
	},
	{
		Name:   "no-jobs",
		Points: 4,
		Func:   "Pool",
		Rule:   "If jobs is closed before any job was sent, work is not called and the channel of results is closed.",
		Why:    "A closed channel gives zero values for ever: a controller must not reconcile the empty key.",
		Hint: []string{
			"What does a receive from a closed and empty channel give you?",
			"Use the second value of the receive: job, ok := <-jobs.",
		},
		Contract: []string{
			"it is closed once, when jobs is closed and drained and the last result has been taken",
			"Each job that is received from jobs is given to work exactly once",
		},
		Source: "The Go Programming Language Specification, Receive operator: after a close the zero value, and ok is false",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			works(t, s)
			var calls atomic.Int32
			drain(t, pool(t, s, t.Context(), 3, closed(0), recorded(t, 0, func(_ context.Context, a *conform.Actor, job int) string {
				calls.Add(1)
				a.Breaks("work is called, and there is no job")
				return answer(job)
			})), 0)
			t.Require(calls.Load() == 0, "jobs was closed before any job was sent, and work was called %d times.", calls.Load())
		},
	},
	{
		Name:   "all-workers-work",
		Points: 5,
		Func:   "Pool",
		Rule:   "As many calls of work run at once as there are workers, as long as there are jobs.",
		Why:    "MaxConcurrentReconciles: 8 that works through keys one by one is a queue that only grows.",
		Hint: []string{
			"In this case a job ends only when as many jobs are running as there are workers. What if your workers take turns?",
			"One goroutine for each worker, each with a loop of its own.",
		},
		Contract: []string{"At most workers calls of work run at once, and that many do run as long as there are jobs"},
		Source:   "controller-runtime pkg/internal/controller/controller.go: MaxConcurrentReconciles (workers)",
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, workers := range []int{1, 5, 2, 12} { // of five, it shows how many are missing
				late, _ := send(t, t.Context(), 2*workers)
				oneByOne, _ := sendOver(t, t.Context(), make(chan int, 1), 2*workers)
				for _, jobs := range []<-chan int{closed(2 * workers), late, oneByOne} {
					together := probe.Barrier(workers)
					complete(t, pool(t, open(), t.Context(), workers, jobs, recorded(t, 2*workers, func(_ context.Context, a *conform.Actor, job int) string {
						if job < workers {
							a.Do(together, "waits until %d calls of work run, one for each worker", workers)
						}
						return answer(job)
					})), 2*workers)
				}
			}
			const many = 150
			together := probe.Barrier(many)
			complete(t, pool(t, open(), t.Context(), many, closed(many), func(_ context.Context, job int) string {
				together()
				return answer(job)
			}), many)
		},
	},
	{
		Name:   "backlog-of-closed-jobs",
		Points: 3,
		Func:   "Pool",
		Rule:   "Jobs that are in the buffer when jobs is closed are still worked on.",
		Why:    "A queue that is shut down is drained, not thrown away: its items have been accepted.",
		Hint: []string{
			"Closing a channel says that no more is sent. Does it say anything about what was sent before?",
			"ok is false only when the channel is closed and its buffer is empty: no other sign is needed.",
		},
		Contract: []string{"What lies in the buffer of a closed channel is still worked on."},
		Source:   "The Go Programming Language Specification, Close: previously sent values are received first",
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			complete(t, pool(t, open(), t.Context(), 4, closed(50), recorded(t, 50, doEcho)), 50)
		},
	},
}

// nilAndEqual gives a pool two jobs that are nil and two that are equal, and has work return
// each job as its result.
func nilAndEqual(t *conform.T, s Subject) {
	all := []any{nil, nil, "same", "same"}
	jobs := make(chan any, len(all))
	for _, job := range all {
		jobs <- job
	}
	close(jobs)
	var calls atomic.Int32
	call := t.Call("Pool(ctx, 2, jobs with nil, nil, %q, %q in its buffer, work)", "same", "same")
	results := s.Any(t.Context(), 2, jobs, func(_ context.Context, job any) any {
		calls.Add(1)
		return job
	})
	call.Returned("results")
	came := map[any]int{}
	for n := 0; ; n++ {
		result, more := <-results
		if !more {
			break
		}
		t.Require(n < len(all), "There were %d jobs, and the pool sent more results.", len(all))
		came[result]++
	}
	t.Require(int(calls.Load()) == len(all), "There were %d jobs, nil twice and %q twice, and work was called %d times: each is a job.", len(all), "same", calls.Load())
	for _, result := range []any{nil, "same"} {
		t.Require(came[result] == 2, "work returned %#v twice, and the pool sent it %d times: each is a result.", result, came[result])
	}
}
